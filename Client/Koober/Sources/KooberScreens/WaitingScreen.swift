import KooberTexts
import PouchEntities

/// A requested ride, until the user starts the next one.
public struct WaitingScreen: Codable, Hashable, Sendable {
    public var ride: DisplayableRide
    public var isCancelling: Bool

    public init(ride: Ride, isCancelling: Bool = false) {
        self.ride = DisplayableRide(ride)
        self.isCancelling = isCancelling
    }
}

/// A ride as its screen shows it.
public struct DisplayableRide: Codable, Hashable, Sendable, Identifiable {
    public var id: String
    public var status: RideStatus
    public var statusText: Phrase
    public var fare: Phrase
    public var pickup: DisplayablePlace
    public var dropoff: DisplayablePlace
    public var driver: DisplayableDriver?
    /// See `Ride.etaSeconds`.
    public var secondsLeft: Int?

    public init(_ ride: Ride) {
        let (start, end) = (ride.waypoints.pickupLocation, ride.waypoints.dropoffLocation)
        id = ride.id
        status = ride.status
        statusText = Phrase(statusOf: ride)
        fare = .costs(ride.fare)
        pickup = DisplayablePlace(at: start)
        dropoff = DisplayablePlace(at: end)
        driver = ride.driver.map { DisplayableDriver($0, pickupLocation: ride.isComing ? start : nil) }
        secondsLeft = ride.etaSeconds
    }
}

/// The kangaroo that carries the rider.
public struct DisplayableDriver: Codable, Hashable, Sendable {
    public var name: String
    public var text: Phrase
    public var location: GeoPoint

    /// - Parameter pickupLocation: the place where the driver picks up the rider; nil unless on the way there.
    public init(_ driver: Ride.Driver, pickupLocation: GeoPoint?) {
        name = driver.name
        text = .driver(
            driver.name, rating: driver.rating, metres: pickupLocation.map { driver.location.distance(to: $0) })
        location = driver.location
    }
}

/// The locations of the kangaroo of a ride, newest last.
public struct Trail: Sendable, Equatable {
    /// The maximum number of points. The oldest are removed first.
    private static let maxLength = 1_000

    public private(set) var points: [GeoPoint] = []
    private var ride: DisplayableRide.ID?
    private var driver: String?

    public init() {}

    /// Adds the location of the ride's kangaroo. Another ride or another kangaroo starts a new trail.
    public mutating func follow(_ ride: DisplayableRide) {
        if ride.id != self.ride || ride.driver?.name != driver { self = Trail() }
        (self.ride, driver) = (ride.id, ride.driver?.name)
        guard let location = ride.driver?.location, location != points.last else { return }
        points = points.suffix(Self.maxLength - 1) + [location]
    }
}

/// The traces of earlier screens that a page shows.
public struct ScreenMemory: Sendable {
    public private(set) var trail = Trail()
    /// Whether the last search failed, so that an empty list does not mean that there are no results.
    public private(set) var hasFailed = false

    public init() {}

    public mutating func follow(_ screen: KooberScreen) {
        if case .waitingForPickup(let waiting) = screen.content { trail.follow(waiting.ride) } else { trail = Trail() }
        guard case .pickMeUp(let pickMeUp) = screen.content else { return }
        if screen.error != nil { hasFailed = true }
        if pickMeUp.step.isBusy { hasFailed = false }
    }
}

extension Ride {
    fileprivate var isComing: Bool { [.accepted, .arriving].contains(status) }
}

extension Phrase {
    fileprivate init(statusOf ride: Ride) {
        let (name, minutes) = (ride.driver?.name, ride.etaMinutes)
        self =
            switch ride.status {
            case .requested: .rideRequested
            case .accepted: .driverIsComing(name, minutes: minutes)
            case .arriving: .driverIsClose(name)
            case .inProgress: .onTheWay(minutes: minutes)
            case .completed: .arrived
            case .cancelledByRider: .cancelledByYou
            case .cancelledByDriver: .cancelledByDriver(name)
            case .noDriversAvailable: .noKangarooFree
            case .unrecognised: .unknownRideStatus
            }
    }
}
