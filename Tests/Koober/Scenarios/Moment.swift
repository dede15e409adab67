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

    /// A moment of each stage of a session.
    static let ofEachStage: [Moment] = [.searches, .sends, .follows, .cancels, .looksAtProfile]

    /// Launches the app with a session, and goes on to the moment.
    @MainActor
    public func reach(_ app: AppUnderTest) async throws {
        try await app.launchesSignedIn()
        let world = app.world
        switch self {
        case .asksForActiveRide: try await world.activeRide.isAsked()
        case .locates:
            try await world.activeRide.passes()
            try await world.userLocation.isAsked()
        case .cannotLocate:
            try await world.activeRide.passes()
            try await app.shows(.gettingUserLocation, error: try await world.userLocation.fails())
        case .map: try await app.findsLocation()
        case .searches:
            _ = try await searches(app)
            try await world.search.isAsked()
        case .cannotSearch:
            let pickup = try await searches(app)
            try await app.shows(app.picker(pickup), error: try await world.search.fails())
        case .picks: try await app.opensPicker(try await app.findsLocation())
        case .loadsOptions:
            let pickup = try await app.findsLocation()
            let near = try await app.opensPicker(pickup)
            _ = try await app.selects(near[1], from: pickup)
            try await world.rideOptions.isAsked()
        case .options: try await app.choosesTrip(try await app.findsLocation())
        case .confirms:
            try await app.selects(0, of: try await app.choosesTrip(try await app.findsLocation()))
        case .sends:
            _ = try await confirms(app)
            try await world.request.isAsked()
        case .cannotSend:
            let trip = try await confirms(app)
            try await app.shows(trip.offer(selected: 0), error: try await world.request.fails())
        case .follows:
            try await rides(app)
            try await app.follows()
            try await world.service.timePasses()
            try await world.updates.isAsked()
        case .cannotFollow:
            let ride = try await rides(app)
            try await app.shows(.waiting(ride), error: try await world.updates.fails())
        case .cancels:
            try await app.cancels(try await rides(app))
            try await world.cancel.isAsked()
        case .hasArrived:
            try await rides(app)
            try await app.ridesToTheEnd()
        case .looksAtProfile: try await app.opensProfile(on: app.map(try await app.findsLocation()))
        }
    }

    @MainActor
    private func searches(_ app: AppUnderTest) async throws -> GeoPoint {
        let pickup = try await app.findsLocation()
        try await app.performs(.chooseDropoff, showing: app.picker(pickup, isSearching: true))
        return pickup
    }

    @MainActor
    private func confirms(_ app: AppUnderTest) async throws -> AppUnderTest.Trip {
        let trip = try await app.choosesTrip(try await app.findsLocation())
        try await app.confirms(trip)
        return trip
    }

    @MainActor
    @discardableResult
    private func rides(_ app: AppUnderTest) async throws -> Ride {
        _ = try await confirms(app)
        return try await app.receivesRide()
    }
}
