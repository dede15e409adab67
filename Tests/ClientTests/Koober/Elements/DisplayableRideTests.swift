import KooberElements
import PouchEntities
import Testing

struct DisplayableRideTests {
    private func ride(_ status: RideStatus, driver: String? = nil, eta: Int? = nil) -> DisplayableRide {
        let place = GeoPoint(latitude: -33.8688, longitude: 151.2093)
        return DisplayableRide(
            Ride(
                id: "rid_1", status: status,
                waypoints: RideWaypoints(pickupLocation: place, dropoffLocation: place), rideOptionID: "wallaby",
                fare: Fixture.euros(1000), driver: driver.map { Ride.Driver(name: $0, rating: 5, location: place) },
                etaSeconds: eta, createdAt: Fixture.now, history: []))
    }

    @Test func `each status has a text of its own`() {
        let texts = RideStatus.allCases.map { ride($0).status }
        #expect(Set(texts).count == texts.count)
        #expect(ride(.accepted, driver: "Skippy").status == "Skippy is on the way")
        #expect(ride(.cancelledByDriver).status == "Your kangaroo cancelled the ride")
    }

    @Test(arguments: [(0, "1 min"), (60, "1 min"), (61, "2 min"), (600, "10 min")])
    func `the remaining time is in minutes that have begun`(_ seconds: Int, _ text: String) {
        #expect(ride(.accepted, eta: seconds).remainingTime == text)
        #expect(ride(.requested).remainingTime == nil)
    }
}
