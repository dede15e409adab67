import Foundation
import PouchEntities
import PouchJSON

/// A stored ride, with fields that riders do not see.
public struct RideRecord: Sendable, Equatable {
    /// The rider or goods of a ride.
    public enum Passenger: Sendable, Equatable {
        /// An account, whose active ride this is until it ends.
        case rider(id: String)
        /// The goods of an order; the ride belongs to the shop.
        case goods(orderId: String)
    }

    /// The assignment of a driver, starting with the offer.
    public struct Engagement: Sendable, Equatable {
        public let driverId: String
        public let name: String
        /// The rating in tenths, 10...50.
        public let rating: Int
        /// The start of the current leg and its time. Before that time, the driver has not answered the offer.
        public let from: GeoPoint
        public let setsOffAt: Date
        public let to: GeoPoint
        public let arrivesAt: Date
        /// The time at which the driver turns back; nil when it arrives.
        public let givesUpAt: Date?

        package init(
            driverId: String, name: String, rating: Int, from: GeoPoint, setsOffAt: Date, to: GeoPoint, arrivesAt: Date,
            givesUpAt: Date?
        ) {
            self.driverId = driverId
            self.name = name
            self.rating = rating
            self.from = from
            self.setsOffAt = setsOffAt
            self.to = to
            self.arrivesAt = arrivesAt
            self.givesUpAt = givesUpAt
        }

        package func location(at time: Date) -> GeoPoint {
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
    /// The statuses, oldest first; never empty.
    public private(set) var history: [Ride.Event]
    public var engagement: Engagement?
    /// The ids of drivers who are not asked again.
    public var refusals: [String]
    /// The time of the next step; nil once the ride has ended.
    public var dueAt: Date?
    /// The number of changes.
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

    package init(
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

    /// The time at which the ride entered its status.
    package var enteredAt: Date { history.last?.at ?? createdAt }

    /// Enters a status.
    ///
    /// - Throws: `IllegalRideTransition`; the ride is then unchanged.
    package mutating func enter(_ status: RideStatus, at time: Date) throws(IllegalRideTransition) {
        guard RideMachine.allows(self.status, to: status) else {
            throw IllegalRideTransition(from: self.status, to: status)
        }
        // The clocks of two servers may differ a little.
        history.append(Ride.Event(status: status, at: max(time, enteredAt)))
    }

    /// The ride as its rider sees it.
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

/// A refusal by the rules of rides. The requested change has no effect.
public enum RideError: Error, Sendable, Equatable {
    /// The rider has an active ride.
    case rideInProgress
    case quoteExpired
    /// The quote is not from this shop, or is for another rider, trip or option.
    case quoteMismatch
    case rideNotCompleted
    /// The ride's events have reached the maximum number of followers.
    case tooManyFollowers
}

/// A transition that the state machine does not allow.
public struct IllegalRideTransition: Error, Equatable {
    public let from: RideStatus
    public let to: RideStatus
}

extension GeoPoint {
    /// The point at a fraction (0...1) of the way to another point, the shorter way around the earth.
    ///
    /// The way is straight in latitude and longitude. On ways of up to 200 km it differs from the same fraction of the
    /// great circle by less than 750 m between 40° south and 40° north and less than 1.6 km up to 60°, and by a quarter
    /// of that on ways half as long.
    public func point(towards other: GeoPoint, fraction: Double) -> GeoPoint {
        let turns = ((other.longitude - longitude) / 360).rounded()
        let target = other.longitude - turns * 360
        return GeoPoint(
            latitude: latitude * (1 - fraction) + other.latitude * fraction,
            longitude: (longitude * (1 - fraction) + target * fraction).remainder(dividingBy: 360))
    }

    /// The point rounded to a millionth of a degree, 0.1 m.
    fileprivate var rounded: GeoPoint {
        GeoPoint(
            latitude: (latitude * 1_000_000).rounded() / 1_000_000,
            longitude: (longitude * 1_000_000).rounded() / 1_000_000)
    }
}

/// The transitions between the statuses of a ride.
public enum RideMachine {
    public static let transitions: [RideStatus: Set<RideStatus>] = [
        .requested: [.accepted, .cancelledByRider, .noDriversAvailable],
        .accepted: [.arriving, .cancelledByRider, .cancelledByDriver],
        .arriving: [.inProgress, .cancelledByRider],
        .inProgress: [.completed],
        // Only if another driver may come; otherwise the ride has ended.
        .cancelledByDriver: [.requested],
        .completed: [],
        .cancelledByRider: [],
        .noDriversAvailable: [],
    ]

    /// Statuses unknown to this version have no transitions.
    public static func allows(_ from: RideStatus, to: RideStatus) -> Bool {
        transitions[from]?.contains(to) ?? false
    }
}

/// The rides of all riders and orders. A ride is active, and has a next step, until it ends.
public protocol RideRepository {
    /// - Returns: false, without writing, when the rider has an active ride.
    func insert(_ ride: RideRecord) throws -> Bool
    /// - Parameter locking: whether to lock the ride until the transaction ends.
    func ride(id: String, locking: Bool) throws -> RideRecord?
    /// The rider's rides, latest first, after the ride with the id.
    func rides(riderId: String, after id: String?, limit: Int) throws -> [RideRecord]
    /// The rider's active ride; nil if there is none.
    func active(riderId: String) throws -> RideRecord?
    /// Writes the mutable fields under the next version, if the stored version is the record's.
    ///
    /// - Returns: false, without writing, when the stored version is another.
    func update(_ ride: RideRecord) throws -> Bool
    /// The rides whose next step is due, with their orders. Rides with a driver come first, since they may free the
    /// driver for others; then the most overdue.
    func due(at now: Date, limit: Int) throws -> [(id: String, orderId: String?)]
    /// The time of the next step of any ride except these; nil when none is active.
    func nextDue(except ids: Set<String>) throws -> Date?
    /// The rides with a later version than the given one.
    func changed(since versions: [String: Int]) throws -> [RideRecord]
    /// Deletes the ended rides of an account, and those of its orders.
    func deleteEnded(ownerId: String) throws
    /// Deletes the ride if it has ended and the account of its rider, or of the order's owner, was deleted.
    func deleteDeserted(id: String) throws
}

extension RideRepository {
    package func ride(id: String) throws -> RideRecord? { try ride(id: id, locking: false) }
}

extension RideRecord.Engagement: JSONModel {
    public static let json = JSONObject(
        RideRecord.Engagement.init, .field("driverId", \.driverId), .field("name", \.name),
        .field("rating", \.rating), .field("from", \.from), .field("setsOffAt", \.setsOffAt), .field("to", \.to),
        .field("arrivesAt", \.arrivesAt), .field("givesUpAt", \.givesUpAt))
}

extension Repositories {
    /// Cancels a ride before the pick-up, for its rider or order; throws `IllegalRideTransition` after it.
    package func cancel(_ ride: inout RideRecord, at now: Date) throws {
        try ride.enter(.cancelledByRider, at: now)
        try release(&ride, at: now)
        ride.dueAt = nil
        try save(&ride)
    }

    /// Frees the driver, who waits at its current location and is not asked for this ride again.
    package func release(_ ride: inout RideRecord, at time: Date) throws {
        guard let engagement = ride.engagement else { return }
        try drivers.release(id: engagement.driverId, rideId: ride.id, at: engagement.location(at: time))
        ride.refusals.append(engagement.driverId)
        ride.engagement = nil
    }

    /// Writes the ride under its next version.
    package func save(_ ride: inout RideRecord) throws {
        guard try rides.update(ride) else { throw TransactionConflict() }
        ride.version += 1
        if ride.dueAt == nil { try rides.deleteDeserted(id: ride.id) }
    }

    /// Cancels a ride unless its pick-up has taken place.
    func cancelRide(id: String, at now: Date) throws {
        guard var ride = try rides.ride(id: id, locking: true), ride.status.isCancellable else { return }
        try cancel(&ride, at: now)
    }

    /// Cancels the active ride of an account unless its pick-up has taken place, and deletes the ended rides, including
    /// those of its orders. A ride after the pick-up is deleted when it ends.
    func deleteRides(ownerId: String, at now: Date) throws {
        // The active ride is locked in any case: it may be about to end.
        if let id = try rides.active(riderId: ownerId)?.id { try cancelRide(id: id, at: now) }
        try rides.deleteEnded(ownerId: ownerId)
    }
}
