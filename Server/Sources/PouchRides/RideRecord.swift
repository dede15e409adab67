import Foundation
import PouchDomain
import PouchEntities

/// A ride as it is kept, with what riders do not see.
public struct RideRecord: Sendable, Equatable {
    /// Who rides.
    public enum Passenger: Sendable, Equatable {
        /// An account; the ride is its active one until it ends.
        case rider(id: String)
        /// What was bought with the order; the ride is the shop's.
        case goods(orderId: String)
    }

    /// A kangaroo that the ride was offered to, and what it does for it.
    public struct Engagement: Codable, Sendable, Equatable {
        public let driverId: String
        public let name: String
        /// Tenths, 10...50.
        public let rating: Int
        /// Where the present leg of its way begins, and when; before, it has not answered the offer.
        public let from: GeoPoint
        public let setsOffAt: Date
        public let to: GeoPoint
        public let arrivesAt: Date
        /// When it turns back; nil when it comes.
        public let givesUpAt: Date?

        func location(at time: Date) -> GeoPoint {
            let whole = arrivesAt.timeIntervalSince(setsOffAt)
            let part = time.timeIntervalSince(setsOffAt)
            guard part > 0 else { return from }
            return part < whole ? from.point(towards: to, fraction: part / whole).rounded : to
        }
    }

    public let id: String
    public let passenger: Passenger
    public let species: Species
    public let waypoints: RideWaypoints
    public let fare: Money
    public let distanceMetres: Int
    public let createdAt: Date
    /// The oldest first; never empty.
    public private(set) var history: [Ride.Event]
    public var engagement: Engagement?
    /// The ids of those that will not be asked again.
    public var refusals: [String]
    /// When something has to be done next; nil once the ride has ended.
    public var dueAt: Date?
    /// Counts the changes.
    public var version: Int

    public init(
        id: String, passenger: Passenger, species: Species, waypoints: RideWaypoints, fare: Money, distanceMetres: Int,
        createdAt: Date, history: [Ride.Event], engagement: Engagement?, refusals: [String], dueAt: Date?, version: Int
    ) {
        self.id = id
        self.passenger = passenger
        self.species = species
        self.waypoints = waypoints
        self.fare = fare
        self.distanceMetres = distanceMetres
        self.createdAt = createdAt
        self.history = history
        self.engagement = engagement
        self.refusals = refusals
        self.dueAt = dueAt
        self.version = version
    }

    /// One that is asked for now.
    init(
        id: String, passenger: Passenger, species: Species, waypoints: RideWaypoints, fare: Money, distanceMetres: Int,
        at now: Date
    ) {
        self.init(
            id: id, passenger: passenger, species: species, waypoints: waypoints, fare: fare,
            distanceMetres: distanceMetres, createdAt: now, history: [Ride.Event(status: .requested, at: now)],
            engagement: nil, refusals: [], dueAt: now, version: 1)
    }

    public var status: RideStatus { history.last?.status ?? .unrecognised }

    public var orderId: String? {
        if case .goods(let orderId) = passenger { orderId } else { nil }
    }

    /// When it came into its status.
    var enteredAt: Date { history.last?.at ?? createdAt }

    /// Goes into the status.
    ///
    /// - Throws: `IllegalRideTransition`; nothing has changed then.
    mutating func enter(_ status: RideStatus, at time: Date) throws(IllegalRideTransition) {
        guard RideMachine.allows(self.status, to: status) else {
            throw IllegalRideTransition(from: self.status, to: status)
        }
        // The clocks of two servers may differ a little.
        history.append(Ride.Event(status: status, at: max(time, enteredAt)))
    }

    /// As riders see it.
    public func ride(at now: Date) -> Ride {
        let driver = status == .requested ? nil : engagement
        return Ride(
            id: id, status: status, waypoints: waypoints, rideOptionID: species.rawValue, fare: fare,
            driver: driver.map {
                Ride.Driver(name: $0.name, rating: Double($0.rating) / 10, location: $0.location(at: now))
            },
            etaSeconds: dueAt == nil
                ? nil : driver.map { Int(max(0, $0.arrivesAt.timeIntervalSince(now)).rounded(.up)) },
            createdAt: createdAt, history: history)
    }
}

/// A step that no ride makes.
public struct IllegalRideTransition: Error, Equatable {
    public let from: RideStatus
    public let to: RideStatus
}

extension GeoPoint {
    /// To a millionth of a degree, 0.1 m.
    fileprivate var rounded: GeoPoint {
        GeoPoint(
            latitude: (latitude * 1_000_000).rounded() / 1_000_000,
            longitude: (longitude * 1_000_000).rounded() / 1_000_000)
    }
}
