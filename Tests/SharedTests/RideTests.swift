import Foundation
import PouchEntities
import Testing

@Suite("Updates of a ride")
struct RideUpdateTests {
    private static let somewhere = GeoPoint(latitude: -33.87, longitude: 151.21)
    private let driver = Ride.Driver(name: "Skippy", rating: 4.9, location: somewhere)
    private let moment = Date(timeIntervalSince1970: 1_798_859_045)

    private func ride(_ status: RideStatus, _ driver: Ride.Driver? = nil, etaSeconds: Int? = nil) -> Ride {
        Ride(
            id: "rid_01", status: status,
            waypoints: RideWaypoints(pickupLocation: Self.somewhere, dropoffLocation: Self.somewhere),
            rideOptionID: "wallaby", fare: Money(1290, .eur), driver: driver, etaSeconds: etaSeconds,
            createdAt: moment, history: [.init(status: status, at: moment)])
    }

    @Test("A status event replaces the driver and the remaining time, even by nil")
    func status() {
        let history = [Ride.Event(status: .requested, at: moment), .init(status: .accepted, at: moment)]
        let accepted = ride(.requested).applying(
            RideUpdate(status: .accepted, driver: driver, etaSeconds: 60, history: history))
        #expect(accepted.status == .accepted && accepted.driver == driver && accepted.etaSeconds == 60)
        #expect(accepted.history == history)
        let again = accepted.applying(RideUpdate(status: .requested))
        #expect(again.driver == nil && again.etaSeconds == nil && again.history == history)
    }

    @Test(
        "Remaining seconds are rounded up to minutes, at least one",
        arguments: [(-1, 1), (0, 1), (1, 1), (60, 1), (61, 2), (121, 3), (Int.max, Int.max / 60 + 1)])
    func minutes(seconds: Int, minutes: Int) {
        #expect(ride(.accepted, driver, etaSeconds: seconds).etaMinutes == minutes)
        #expect(ride(.requested).etaMinutes == nil)
    }

    @Test("A position event changes the driver and the time only, and is ignored without a driver")
    func position() {
        let accepted = ride(.accepted, driver, etaSeconds: 60)
        let there = Ride.Driver(name: "Skippy", rating: 4.9, location: GeoPoint(latitude: -33.9, longitude: 151.2))
        #expect(accepted.applying(RideUpdate(driver: there, etaSeconds: 50)) == ride(.accepted, there, etaSeconds: 50))
        #expect(accepted.applying(RideUpdate()) == accepted)
        #expect(ride(.requested).applying(RideUpdate(driver: there, etaSeconds: 50)) == ride(.requested))
    }
}
