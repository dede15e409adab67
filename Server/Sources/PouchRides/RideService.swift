import Foundation
import PouchDomain
import PouchEntities

/// Quotes, requests, reads and cancels rides. Other riders' rides are not found.
public struct RideService: Sendable {
    /// The maximum length of a trip, in metres of air distance.
    private static let farthest = 200_000.0

    private let environment: RideEnvironment
    private let quoter: FareQuoter
    private let tariff: RideTariff
    private let streets: CityStreets

    public init(_ environment: RideEnvironment, keyRing: KeyRing) {
        self.environment = environment
        let currency = environment.domain.shop.currency
        quoter = FareQuoter(keyRing: keyRing, digests: environment.domain.digests, currency: currency)
        tariff = RideTariff(currency: currency)
        streets = CityStreets(environment.city)
    }

    /// The ride options in the city; without a place, all options.
    public func options(at pickup: GeoPoint?) -> [RideOption] { species(at: pickup).map(\.option) }

    /// A quote for each option at the pick-up, smallest species first.
    ///
    /// - Throws: `DomainError.invalid`.
    public func quotes(for waypoints: RideWaypoints, by principal: Principal) throws -> [FareQuote] {
        try check(waypoints)
        let expiresAt = environment.time.now.addingTimeInterval(FareQuoter.lifetime)
        return try species(at: waypoints.pickupLocation).map { species in
            let trip = FareQuoter.Trip(ownerId: principal.ownerId, waypoints: waypoints, species: species)
            let terms = try tariff.terms(species, for: waypoints)
            let time = streets.travelTime(
                from: waypoints.pickupLocation, to: waypoints.dropoffLocation, by: species)
            return FareQuote(
                id: quoter.id(terms, for: trip, expiresAt: expiresAt),
                rideOptionID: species.rawValue, fare: terms.fare, distanceMetres: terms.metres,
                etaSeconds: Int(time.rounded(.up)), expiresAt: expiresAt)
        }
    }

    /// Requests a ride. The city's next step searches for a driver.
    ///
    /// - Parameter quoteId: the quote that sets the fare; nil for the current fare.
    /// - Throws: `DomainError.invalid`, `.emailUnverified`, `RideError.rideInProgress`, `.quoteExpired`,
    ///   `.quoteMismatch`.
    public func request(
        _ waypoints: RideWaypoints, optionId: String, quoteId: String?, by principal: Principal,
        in repositories: any Repositories
    ) throws -> Ride {
        try check(waypoints)
        try environment.domain.checkVerifiedEmail(for: .rides, of: principal, in: repositories)
        guard let species = Species(rawValue: optionId) else {
            throw DomainError.invalid("rideOptionID", .invalid, "There is no ride option with this ID.")
        }
        let now = environment.time.now
        let trip = FareQuoter.Trip(ownerId: principal.ownerId, waypoints: waypoints, species: species)
        let terms =
            if let quoteId {
                try quoter.terms(of: quoteId, for: trip, at: now, in: repositories)
            } else {
                try tariff.terms(species, for: waypoints)
            }
        let ride = RideRecord(
            id: environment.domain.ids.make(.ride), passenger: .rider(id: principal.ownerId), species: species,
            waypoints: waypoints, fare: terms.fare, distanceMetres: terms.metres, at: now)
        guard try repositories.rides.insert(ride) else { throw RideError.rideInProgress }
        try environment.domain.events.append(.rideRequested, of: ride, at: now, in: repositories)
        return ride.ride(at: now)
    }

    /// - Throws: `DomainError.notFound`; `.notCancellable` after the pick-up, and for a courier's ride, which belongs
    ///   to the shop.
    public func cancel(id: String, of principal: Principal, in repositories: any Repositories) throws -> Ride {
        var ride = try ride(id: id, of: principal, locking: true, in: repositories)
        guard ride.orderId == nil, ride.status.isCancellable else { throw DomainError.notCancellable }
        let now = environment.time.now
        try repositories.cancel(&ride, at: now)
        try environment.domain.events.append(.rideCancelled, of: ride, at: now, in: repositories)
        return ride.ride(at: now)
    }

    /// Returns a ride of the principal, or the courier's ride of one of their orders.
    ///
    /// - Throws: `DomainError.notFound`.
    public func ride(
        id: String, of principal: Principal, locking: Bool = false, in repositories: any Repositories
    ) throws -> RideRecord {
        let ride = try repositories.rides.ride(id: id, locking: locking).orNotFound()
        let ownerId =
            switch ride.passenger {
            case .rider(let id): id
            case .goods(let orderId): try repositories.orders.order(id: orderId)?.ownerId
            }
        guard ownerId == principal.ownerId else { throw DomainError.notFound }
        return ride
    }

    /// - Throws: `DomainError.notFound`, `RideError.rideNotCompleted`.
    public func receipt(id: String, of principal: Principal, in repositories: any Repositories) throws -> RideReceipt {
        let ride = try ride(id: id, of: principal, in: repositories)
        guard ride.status == .completed, let driver = ride.engagement,
            let pickedUp = ride.history.last(where: { $0.status == .inProgress })
        else { throw RideError.rideNotCompleted }
        return RideReceipt(
            rideID: ride.id, fare: ride.fare, distanceMetres: ride.distanceMetres, driverName: driver.name,
            pickedUpAt: pickedUp.at, completedAt: ride.enteredAt)
    }

    // MARK: Steps

    private func species(at pickup: GeoPoint?) -> [Species] {
        pickup.map(CitySettings.covers) ?? true ? Species.allCases : []
    }

    private func check(_ waypoints: RideWaypoints) throws(DomainError) {
        let points = [
            ("waypoints.pickupLocation", waypoints.pickupLocation),
            ("waypoints.dropoffLocation", waypoints.dropoffLocation),
        ]
        var problems: [InvalidField] = []
        for (field, point) in points {
            if !(-90...90).contains(point.latitude) {
                problems.add("\(field).latitude", .outOfRange, "Latitude must be from -90 to 90.")
            }
            if !(-180...180).contains(point.longitude) {
                problems.add("\(field).longitude", .outOfRange, "Longitude must be from -180 to 180.")
            }
        }
        try problems.check()
        let dropoff = "waypoints.dropoffLocation"
        guard waypoints.pickupLocation.distance(to: waypoints.dropoffLocation) <= Self.farthest else {
            let detail = "Kangaroos travel at most \(Int(Self.farthest) / 1_000) km."
            throw .invalid(dropoff, .outOfRange, detail)
        }
        guard waypoints.pickupLocation != waypoints.dropoffLocation else {
            throw .invalid(dropoff, .invalid, "The drop-off must differ from the pick-up.")
        }
    }
}
