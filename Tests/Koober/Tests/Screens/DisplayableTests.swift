import ClientTesting
import Foundation
import KooberScreens
import KooberTexts
import PouchEntities
import PouchTesting
import Testing

/// Screens have displayable values only: what an entity means is decided here, once for every architecture.
@Suite
struct DisplayableTests {
    private let trip = RideWaypoints(
        pickupLocation: SampleService.sydney, dropoffLocation: GeoPoint(latitude: -33.8908, longitude: 151.2743))

    private func ride(_ status: RideStatus, eta: Int? = nil, hasDriver: Bool = true) -> DisplayableRide {
        let driver = Ride.Driver(
            name: "Skippy", rating: 4.5, location: GeoPoint(latitude: -33.8568, longitude: 151.2153))
        return DisplayableRide(
            Ride(
                id: "rid_1", status: status, waypoints: trip, rideOptionID: "wallaby", fare: Fixture.euros(1_250),
                driver: hasDriver ? driver : nil, etaSeconds: eta, createdAt: .sample, history: []))
    }

    @Test func `a ride says its state, its fare and its places`() {
        let statuses: [(RideStatus, Phrase)] = [
            (.requested, .rideRequested), (.accepted, .driverIsComing("Skippy", minutes: 2)),
            (.arriving, .driverIsClose("Skippy")), (.inProgress, .onTheWay(minutes: 2)), (.completed, .arrived),
            (.cancelledByRider, .cancelledByYou), (.cancelledByDriver, .cancelledByDriver("Skippy")),
            (.noDriversAvailable, .noKangarooFree), (.unrecognised, .unknownRideStatus),
        ]
        for (status, text) in statuses {
            let ride = ride(status, eta: 61)
            #expect(ride.status == status)
            #expect(ride.statusText == text)
            #expect(ride.fare == .costs(Fixture.euros(1_250)))
            #expect(ride.pickup.name == .near("Hyde Park"))
            #expect(ride.dropoff.name == .verbatim("Bondi Beach"))
        }
        #expect(ride(.accepted, hasDriver: false).statusText == .driverIsComing(nil, minutes: nil))
    }

    @Test(arguments: [RideStatus.requested, .accepted, .arriving, .inProgress, .completed])
    func `a driver is so far away as long as the driver comes to the pick-up`(_ status: RideStatus) {
        guard case .driver(let name, let rating, let metres) = ride(status).driver?.text else {
            Issue.record("no driver")
            return
        }
        #expect(name == "Skippy" && rating == 4.5)
        #expect((metres != nil) == [.accepted, .arriving].contains(status))
        if let metres { #expect(abs(metres - 1_445) < 1) }
    }

    @Test func `an option shows the drawing of its state, its room, its weight and its fare`() {
        let option = RideOption(
            id: "wallaby", name: "Wallaby", capacity: 2, maxWeightGrams: 62_500,
            images: .init(normal: "plain.svg", selected: "chosen.svg"))
        let quote = FareQuote(
            id: "quo_1", rideOptionID: "wallaby", fare: Fixture.euros(1_250), distanceMetres: 1, etaSeconds: 1,
            expiresAt: .sample)
        for isSelected in [false, true] {
            let shown = DisplayableRideOption(option, quote, isSelected: isSelected)
            #expect(shown.image == (isSelected ? "chosen.svg" : "plain.svg"))
            #expect(shown.isSelected == isSelected)
            #expect(shown.title == "Wallaby" && shown.riders == .riders(2) && shown.weight == .weight(62_500))
            #expect(shown.fare == .price(Fixture.euros(1_250)))
            #expect(shown.confirmation == .rideBy("Wallaby", fare: Fixture.euros(1_250)))
        }
    }

    @Test(arguments: [("", ""), ("Ada", "A"), ("Ada Lovelace", "AL"), ("grace brewster hopper", "GH"), ("  Ada ", "A")])
    func `the initials stand for a picture`(_ name: String, _ initials: String) {
        let profile = ProfileScreen(Profile(id: "acc_1", name: name, email: "a@b.c"))
        #expect(profile.initials == initials)
    }

    @Test func `a session without a profile shows an empty one`() {
        let profile = ProfileScreen(nil)
        #expect([profile.name, profile.email, profile.mobileNumber, profile.initials] == ["", "", "", ""])
        #expect(profile.avatar == nil)
    }
}
