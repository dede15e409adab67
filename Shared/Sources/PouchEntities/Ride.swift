import Foundation
import PouchJSON

/// A requested trip by kangaroo.
public struct Ride: JSONModel, Codable, Hashable, Identifiable {
    /// A status and the time at which the ride reached it.
    public struct Event: JSONModel, Hashable {
        public let status: RideStatus
        public let at: Date

        public init(status: RideStatus, at: Date) {
            self.status = status
            self.at = at
        }

        public static let json = JSONObject(Ride.Event.init, .field("status", \.status), .field("at", \.at))
    }

    /// The kangaroo that carries the rider.
    public struct Driver: JSONModel, Hashable {
        public let name: String
        /// The rating, 1...5.
        public let rating: Double
        /// The current position; after the ride, the last position.
        public let location: GeoPoint

        public init(name: String, rating: Double, location: GeoPoint) {
            self.name = name
            self.rating = rating
            self.location = location
        }

        public static let json = JSONObject(
            Ride.Driver.init, .field("name", \.name), .field("rating", \.rating), .field("location", \.location))
    }

    public let id: String
    public let status: RideStatus
    public let waypoints: RideWaypoints
    public let rideOptionID: String
    public let fare: Money
    /// The driver; nil before `accepted`.
    public let driver: Driver?
    /// The seconds to the pick-up and then to the drop-off; nil while no driver is on the way.
    public let etaSeconds: Int?
    public let createdAt: Date
    /// The statuses, oldest first.
    public let history: [Event]

    public init(
        id: String, status: RideStatus, waypoints: RideWaypoints, rideOptionID: String, fare: Money, driver: Driver?,
        etaSeconds: Int?, createdAt: Date, history: [Event]
    ) {
        self.id = id
        self.status = status
        self.waypoints = waypoints
        self.rideOptionID = rideOptionID
        self.fare = fare
        self.driver = driver
        self.etaSeconds = etaSeconds
        self.createdAt = createdAt
        self.history = history
    }

    public static let json = JSONObject(
        Ride.init, .field("id", \.id), .field("status", \.status), .field("waypoints", \.waypoints),
        .field("rideOptionID", \.rideOptionID), .field("fare", \.fare), .field("driver", \.driver),
        .field("etaSeconds", \.etaSeconds), .field("createdAt", \.createdAt), .field("history", \.history))
}

/// The state of a ride.
public enum RideStatus: String, OpenEnum {
    /// The shop is looking for a kangaroo.
    case requested
    /// A kangaroo is on its way to the pick-up.
    case accepted
    /// The kangaroo has almost reached the pick-up, or waits there.
    case arriving
    case inProgress
    case completed
    case cancelledByRider
    /// The kangaroo gave up before the pick-up. The ride returns to `requested` if another kangaroo may come; otherwise
    /// it has ended.
    case cancelledByDriver
    /// No kangaroo accepted the ride.
    case noDriversAvailable
    case unrecognised

    /// Whether the ride has ended. True for `cancelledByDriver`, although a ride that continues passes through it.
    public var isFinal: Bool {
        switch self {
        case .completed, .cancelledByRider, .cancelledByDriver, .noDriversAvailable: true
        case .requested, .accepted, .arriving, .inProgress, .unrecognised: false
        }
    }

    /// Whether the rider can still cancel, which is possible until the pick-up.
    public var isCancellable: Bool {
        switch self {
        case .requested, .accepted, .arriving: true
        default: false
        }
    }
}

/// The changed parts of a ride, sent as a server-sent event.
///
/// A `status` event has the status, the driver, the remaining time and the history; an omitted value no longer exists.
/// A `position` event has the driver and the remaining time.
public struct RideUpdate: JSONModel, Hashable {
    public let status: RideStatus?
    public let driver: Ride.Driver?
    public let etaSeconds: Int?
    public let history: [Ride.Event]?

    public init(
        status: RideStatus? = nil, driver: Ride.Driver? = nil, etaSeconds: Int? = nil, history: [Ride.Event]? = nil
    ) {
        self.status = status
        self.driver = driver
        self.etaSeconds = etaSeconds
        self.history = history
    }

    public static let json = JSONObject(
        RideUpdate.init, .field("status", \.status), .field("driver", \.driver), .field("etaSeconds", \.etaSeconds),
        .field("history", \.history))
}

extension Ride {
    /// The ride after the update. Ignores a late position of a driver that the ride no longer has.
    public func applying(_ update: RideUpdate) -> Ride {
        guard update.status != nil || driver != nil else { return self }
        return Ride(
            id: id, status: update.status ?? status, waypoints: waypoints, rideOptionID: rideOptionID, fare: fare,
            driver: update.driver ?? (update.status == nil ? driver : nil),
            etaSeconds: update.etaSeconds ?? (update.status == nil ? etaSeconds : nil),
            createdAt: createdAt, history: update.history ?? history)
    }
}

/// The receipt of a completed ride.
public struct RideReceipt: JSONModel, Hashable {
    public let rideID: String
    /// The quoted fare.
    public let fare: Money
    public let distanceMetres: Int
    public let driverName: String
    public let pickedUpAt: Date
    public let completedAt: Date

    public init(
        rideID: String, fare: Money, distanceMetres: Int, driverName: String, pickedUpAt: Date, completedAt: Date
    ) {
        self.rideID = rideID
        self.fare = fare
        self.distanceMetres = distanceMetres
        self.driverName = driverName
        self.pickedUpAt = pickedUpAt
        self.completedAt = completedAt
    }

    public static let json = JSONObject(
        RideReceipt.init, .field("rideID", \.rideID), .field("fare", \.fare),
        .field("distanceMetres", \.distanceMetres), .field("driverName", \.driverName),
        .field("pickedUpAt", \.pickedUpAt), .field("completedAt", \.completedAt))
}
