import PouchEntities

/// The species that carry riders, smallest first.
public enum Species: String, Sendable, Codable, CaseIterable {
    case wallaby
    case wallaroo
    case kangaroo

    /// The number of riders.
    public var capacity: Int { traits.capacity }
    public var maxWeightGrams: Int { traits.maxWeightGrams }
    /// The speed in metres of street per second, including stops.
    public var pace: Double { traits.pace }

    private var traits: (capacity: Int, maxWeightGrams: Int, pace: Double) {
        switch self {
        case .wallaby: (1, 20_000, 8)
        case .wallaroo: (2, 60_000, 9)
        case .kangaroo: (4, 150_000, 10)
        }
    }
}
