import Foundation
import KooberKit
import KooberTexts
import PouchClient
import PouchEntities
import PouchTesting

/// A user, an error and a trip for the tests of all architectures.
enum Sample {
    static let session = UserSession.sample()
    static let error = ErrorMessage(title: .somethingWentWrong, message: .unreachable)
    static let laterError = ErrorMessage(title: .somethingWentWrong, message: .unreachable)
    static let sydney = GeoPoint(latitude: -33.8688, longitude: 151.2093)
    static let bondi = place("Bondi Beach", -33.8915, 151.2767)
    static let manly = place("Manly", -33.7969, 151.2840)
    static let trip = RideWaypoints(pickupLocation: sydney, dropoffLocation: bondi.location)
    static let options = ["wallaby", "kangaroo"].enumerated().map { index, id in
        PricedRideOption(
            option: RideOption(
                id: id, name: id.capitalized, capacity: index + 1, maxWeightGrams: 20_000,
                images: .init(normal: id, selected: id + "-selected")),
            quote: FareQuote(
                id: "quo_\(id)", rideOptionID: id, fare: Money(Int64(1000 + 500 * index), .eur), distanceMetres: 5000,
                etaSeconds: 600, expiresAt: Date.sample.addingTimeInterval(300)))
    }
    static let request = NewRideRequest(waypoints: trip, option: options[0])

    static func ride(_ status: RideStatus = .requested, id: Ride.ID = "rid_1") -> Ride {
        Ride(
            id: id, status: status, waypoints: trip, rideOptionID: "wallaby", fare: Money(1000, .eur), driver: nil,
            etaSeconds: nil, createdAt: .sample, history: [])
    }

    private static func place(_ name: String, _ latitude: Double, _ longitude: Double) -> NamedLocation {
        NamedLocation(name: name, location: GeoPoint(latitude: latitude, longitude: longitude))
    }
}

/// The values that a test received, in order, and the subscriptions that deliver them.
@MainActor final class Received<Value> {
    private(set) var values: [Value] = []
    private var subscriptions: [AnyObject] = []

    func append(_ value: Value) { values.append(value) }
    /// Keeps the subscription as long as this object.
    func keep(_ subscription: AnyObject) { subscriptions.append(subscription) }
}

/// A byte store whose saves can fail.
actor CountingSessionStore: SessionStore {
    private var session: Data?
    private var fails = false
    private(set) var saves = 0
    private(set) var clears = 0

    func fails(_ fails: Bool) { self.fails = fails }
    func load() -> Data? { session }

    func save(_ session: Data) throws {
        if fails { throw CocoaError(.fileWriteOutOfSpace) }
        saves += 1
        self.session = session
    }

    func clear() {
        clears += 1
        session = nil
    }
}
