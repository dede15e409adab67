import KooberKit
import KooberScreens
import PouchEntities
import Testing

/// A point in the app at which the user signs out or the session ends.
public enum Moment: CaseIterable, Sendable, CustomTestStringConvertible {
    case asksForActiveRide, locates, cannotLocate, map, searches, cannotSearch, picks, loadsOptions, options, confirms,
        sends
    case cannotSend, follows, cannotFollow, cancels, hasArrived, looksAtProfile

    public var testDescription: String { "\(self)" }

    /// The moments without an error or a request in the way.
    public static let canSignOut = allCases.filter {
        ![.cannotLocate, .cannotSearch, .cannotSend, .cannotFollow, .sends, .looksAtProfile].contains($0)
    }

    @MainActor
    public func reach(_ app: AppUnderTest) async throws {
        let world = app.world
        switch self {
        case .asksForActiveRide:
            try await world.activeRide.isAsked()
        case .locates:
            try await world.activeRide.passes()
            try await world.userLocation.isAsked()
        case .cannotLocate:
            try await world.activeRide.passes()
            let error = try await world.userLocation.fails()
            try await app.shows(.gettingUserLocation, error: error)
        case .map:
            _ = try await app.findsLocation()
        case .searches:
            let pickup = try await app.findsLocation()
            try await app.performs(.chooseDropoff)
            try await app.shows(app.picker(pickup, isSearching: true))
            try await world.search.isAsked()
        case .cannotSearch:
            let pickup = try await app.findsLocation()
            try await app.performs(.chooseDropoff)
            try await app.shows(app.picker(pickup, isSearching: true))
            let error = try await world.search.fails()
            try await app.shows(app.picker(pickup), error: error)
        case .picks:
            _ = try await app.opensPicker(try await app.findsLocation())
        case .loadsOptions:
            let pickup = try await app.findsLocation()
            let near = try await app.opensPicker(pickup)
            try await app.performs(.selectDropoff(near[1].name))
            try await app.shows(AppUnderTest.Trip(pickup: pickup, dropoff: near[1], options: []).loading)
            try await world.rideOptions.isAsked()
        case .options:
            _ = try await app.choosesTrip(try await app.findsLocation())
        case .confirms:
            let trip = try await app.choosesTrip(try await app.findsLocation())
            try await app.performs(.selectRideOption(trip.options[0].id))
            try await app.shows(trip.offer(selected: 0))
        case .sends:
            try await app.confirms(try await app.choosesTrip(try await app.findsLocation()))
            try await world.request.isAsked()
        case .cannotSend:
            let trip = try await app.choosesTrip(try await app.findsLocation())
            try await app.confirms(trip)
            let error = try await world.request.fails()
            try await app.shows(trip.offer(selected: 0), error: error)
        case .follows:
            try await rides(app)
            try await app.follows()
            try await world.service.timePasses()
            try await world.updates.isAsked()
        case .cannotFollow:
            let ride = try await rides(app)
            let error = try await world.updates.fails()
            try await app.shows(.waitingForPickup(WaitingScreen(ride: ride)), error: error)
        case .cancels:
            let ride = try await rides(app)
            try await app.performs(.cancelRide)
            try await app.shows(.waitingForPickup(WaitingScreen(ride: ride, isCancelling: true)))
            try await world.cancel.isAsked()
        case .hasArrived:
            try await rides(app)
            try await app.ridesToTheEnd()
        case .looksAtProfile:
            let pickup = try await app.findsLocation()
            try await app.performs(.showProfile)
            try await app.shows(app.map(pickup), profile: app.profile(of: world.service.rider))
        }
    }

    @MainActor
    @discardableResult
    private func rides(_ app: AppUnderTest) async throws -> Ride {
        try await app.confirms(try await app.choosesTrip(try await app.findsLocation()))
        let ride = try await app.world.request.passes()
        try await app.shows(.waitingForPickup(WaitingScreen(ride: ride)))
        return ride
    }
}
