import PouchDomain

/// How a kangaroo takes to its work. What it does with a ride follows from the two of them alone, so that every process
/// comes to the same.
public enum Temper: String, Sendable, Codable, CaseIterable {
    /// Takes what comes, and keeps to it.
    case calm
    /// Lets one ride in four pass, and takes its time for that.
    case moody
    /// Takes nearly everything at once, and gives up one ride in five on the way.
    case jumpy

    /// Seconds until it answers an offer.
    var reaction: Double {
        switch self {
        case .calm: 4
        case .moody: 8
        case .jumpy: 2
        }
    }

    func accepts(rideId: String, driverId: String) -> Bool {
        let refused =
            switch self {
            case .calm: 0
            case .moody: 25
            case .jumpy: 5
            }
        return Self.chance("accepts", rideId, driverId) >= refused
    }

    /// - Returns: the part of the way to the pick-up after which it turns back, above 0 and below 1; nil when it comes.
    func givesUp(rideId: String, driverId: String) -> Double? {
        let quits =
            switch self {
            case .calm: 0
            case .moody: 5
            case .jumpy: 20
            }
        guard Self.chance("gives up", rideId, driverId) < quits else { return nil }
        return Double(1 + Self.chance("turns back", rideId, driverId)) / 102
    }

    /// 0...99
    private static func chance(_ question: String, _ rideId: String, _ driverId: String) -> Int {
        var hash = StableHash()
        hash.combine(question)
        hash.combine(rideId)
        hash.combine(driverId)
        // The low bits of the sum of one byte more or less differ too little.
        return Int((hash.value ^ hash.value >> 32) % 100)
    }
}
