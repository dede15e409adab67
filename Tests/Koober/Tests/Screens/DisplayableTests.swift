import ClientTesting
import Foundation
import KooberScreens
import KooberTexts
import PouchEntities
import PouchTesting
import Testing

/// Screens have displayable values only: what an entity means is decided here, once for every architecture.
struct DisplayableTests {
    /// With the kangaroo at the Opera House.
    private func ride(_ status: RideStatus, eta: Int? = nil, hasDriver: Bool = true) -> DisplayableRide {
        let opera = GeoPoint(latitude: -33.8568, longitude: 151.2153)
        return DisplayableRide(Sydney.ride(status, hasDriver ? opera : nil, eta: eta))
    }

    @Test func `a trail has each location of one kangaroo on one ride`() {
        var ride = self.ride(.accepted)
        var trail = Trail()
        trail.follow(ride)
        trail.follow(ride)
        #expect(trail.points.count == 1)
        ride.driver?.location = Sydney.bondi.location
        trail.follow(ride)
        #expect(trail.points.count == 2 && trail.points.last == Sydney.bondi.location)
        // The same kangaroo on the next ride.
        ride.id = "rid_2"
        trail.follow(ride)
        #expect(trail.points == [Sydney.bondi.location])
        ride.driver?.name = "Joey"
        ride.driver?.location = Sydney.centre
        trail.follow(ride)
        #expect(trail.points == [Sydney.centre])
    }

    @Test func `a trail ends with its ride`() {
        var (memory, waiting) = (ScreenMemory(), WaitingScreen(ride: Ride.sample(.accepted)))
        waiting.ride = ride(.accepted)
        memory.follow(KooberScreen(.waitingForPickup(waiting)))
        #expect(memory.trail.points.count == 1)
        memory.follow(KooberScreen(.gettingUserLocation))
        #expect(memory.trail.points.isEmpty)
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
            #expect(ride.status == status && ride.statusText == text)
            #expect(ride.fare == .costs(Fixture.euros(1_820)))
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
        for isSelected in [false, true] {
            let shown = Sydney.options(selected: isSelected ? "kangaroo" : "wallaby").options[1]
            #expect(shown.image == (isSelected ? "kangaroo-selected.png" : "kangaroo.png"))
            #expect(shown.isSelected == isSelected)
            #expect(shown.title == "Kangaroo" && shown.riders == .riders(3) && shown.weight == .weight(150_500))
            #expect(shown.fare == .price(Fixture.euros(1_820)))
            #expect(shown.confirmation == .rideBy("Kangaroo", fare: Fixture.euros(1_820)))
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

/// Distances over the globe, and the names that screens give to locations.
struct PlaceTests {
    private static func point(_ latitude: Double, _ longitude: Double) -> GeoPoint {
        GeoPoint(latitude: latitude, longitude: longitude)
    }

    private static let distances: [(GeoPoint, GeoPoint, Double)] = [
        // A degree on the equator, on a meridian, over the date line, and on the 60th parallel, half as long.
        (point(0, 0), point(0, 1), 111_195.1), (point(-34, 151), point(-33, 151), 111_195.1),
        (point(0, 179.5), point(0, -179.5), 111_195.1), (point(60, 10), point(60, 11), 55_595.4),
        // A pole is one point at any longitude, and lies a quarter of the way around the globe.
        (point(90, 0), point(90, 120), 0), (point(0, 33), point(90, -70), 10_007_557.2),
        // Opposite sides of the globe, where rounding could leave the domain of the arc sine.
        (point(0, 0), point(0, 180), 20_015_114.4), (point(-33.8688, 151.2093), point(33.8688, -28.7907), 20_015_114.4),
        // The Opera House from London, and from the middle of Sydney.
        (point(51.5074, -0.1278), point(-33.8568, 151.2153), 16_992_700),
        (point(-33.8688, 151.2093), point(-33.8568, 151.2153), 1_444.8),
        // Ten centimetres.
        (point(-33.8688, 151.2093), point(-33.868_799_1, 151.2093), 0.1),
    ]

    @Test(arguments: distances)
    func `a distance follows the great circle, in both directions`(
        _ start: GeoPoint, _ end: GeoPoint, _ metres: Double
    ) {
        for distance in [start.distance(to: end), end.distance(to: start)] {
            // 0.01 %, and a centimetre for short ones.
            #expect(abs(distance - metres) <= max(metres / 10_000, 0.01))
        }
    }

    @Test func `the result of a search names the place, and says how far it is from the pick-up`() {
        let pickup = Self.point(-33.8688, 151.2093)
        let place = DisplayablePlace(
            NamedLocation(name: "Bondi Beach", location: Self.point(-33.8908, 151.2743)), from: pickup)
        #expect(place.name == .verbatim("Bondi Beach"))
        #expect(place.distance.map(Language.german.text) == "6,5 km")
        #expect(place.goal.map(Language.english.text) == "To Bondi Beach, 6.5 km as the crow flies.")
    }

    @Test(arguments: [
        (point(-33.8568, 151.2153), Phrase.verbatim("Sydney Opera House")),
        // 50 and 70 metres to the south.
        (point(-33.857_25, 151.2153), .verbatim("Sydney Opera House")),
        (point(-33.857_43, 151.2153), .near("Sydney Opera House")),
        // The closest one counts, not the best known.
        (point(-33.8612, 151.2110), .verbatim("Circular Quay")), (point(-33.8690, 151.2090), .near("Hyde Park")),
        // 2.9 and 3.1 kilometres to the west of Katoomba.
        (point(-33.7117, 150.2796), .near("Katoomba")),
        (point(-33.7117, 150.2775), .coordinates(point(-33.7117, 150.2775))),
        (point(51.5, -0.12), .coordinates(point(51.5, -0.12))),
    ])
    func `a location without a name has that of the closest landmark, if one is close`(
        _ location: GeoPoint, _ name: Phrase
    ) {
        let place = DisplayablePlace(at: location)
        #expect(place.name == name)
        #expect(place.distance == nil && place.goal == nil && place.location == location)
    }

    @Test func `landmarks have names of their own, and keep apart`() {
        let landmarks = Landmarks.sydney
        #expect(Set(landmarks.map(\.name)).count == landmarks.count)
        for (index, landmark) in landmarks.enumerated() {
            #expect(DisplayablePlace(at: landmark.location).name == .verbatim(landmark.name))
            #expect(landmarks.dropFirst(index + 1).allSatisfy { $0.location.distance(to: landmark.location) > 120 })
        }
    }
}
