import Foundation
import KooberKit
import KooberScreens
import PouchEntities
import PouchTesting
import Testing

struct DestinationTests {
    @Test(arguments: [
        ("koober://ride?to=Bondi%20Beach", "Bondi Beach"), ("koober://ride?to=Bondi Beach", "Bondi Beach"),
        ("KOOBER://ride?to=Manly", "Manly"), ("koober://ride?from=here&to=M%C3%A1nly%20%26%20more", "Mánly & more"),
    ])
    func `a link names the place to ride to, with blanks escaped or not`(_ link: String, _ place: String) {
        #expect(Destination(link: link) == Destination(ride: .search(place, choosesMatch: true), survivesSignIn: true))
    }

    @Test func `a link without a place opens the map, and one to the profile opens it`() {
        #expect(Destination(link: "koober://ride") == Destination(survivesSignIn: true))
        #expect(Destination(link: "koober://profile") == Destination(isProfileShown: true, survivesSignIn: true))
    }

    @Test(arguments: [
        "", "ride", "koober:", "koober://", "koober://ride?to=", "koober://rides?to=Manly", "https://ride?to=Manly",
        "koober://profile?to=Manly", "koober://ride:port?to=Manly",
    ])
    func `a link to nothing that the app has is refused`(_ link: String) { #expect(Destination(link: link) == nil) }

    @Test func `a link outlasts the sign-in, and the place of a session does not`() throws {
        let link = try #require(Destination(link: "koober://ride?to=Manly"))
        #expect(link.afterSigningIn == link)
        #expect(Destination(ride: .search("Manly", choosesMatch: false)).afterSigningIn == nil)
    }

    private static let places: [(KooberScreen, Destination)] = [
        (KooberScreen(.launching), Destination()), (KooberScreen(.welcome), Destination()),
        (KooberScreen(.signIn(FormScreen(isBusy: true))), Destination(form: .signIn)),
        (KooberScreen(.signUp(FormScreen())), Destination(form: .signUp)),
        (KooberScreen(.gettingUserLocation), Destination()), (Sydney.pickMeUp(.initial), Destination()),
        (Sydney.search("Man", [Sydney.junction]), Destination(ride: .search("Man", choosesMatch: false))),
        // The search that covers a chosen destination comes first.
        (Sydney.search("Man", to: Sydney.bondi), Destination(ride: .search("Man", choosesMatch: false))),
        (Sydney.offer(), Destination(ride: .dropoff(Sydney.bondi, option: nil))),
        (Sydney.loading, Destination(ride: .dropoff(Sydney.bondi, option: nil))),
        (Sydney.offer(selected: "kangaroo"), Destination(ride: .dropoff(Sydney.bondi, option: "kangaroo"))),
        // The request may have been received: the ride in progress is found at the next start.
        (
            Sydney.pickMeUp(.sendingRideRequest, to: Sydney.bondi),
            Destination(ride: .dropoff(Sydney.bondi, option: nil))
        ),
        (Sydney.waiting(Sydney.ride(.accepted)), Destination()),
    ]

    @Test(arguments: places.indices)
    func `each screen is a place to come back to`(_ index: Int) throws {
        let (screen, destination) = Self.places[index]
        #expect(Destination(screen) == destination)
        // It is stored between two runs of the app.
        let stored = try JSONEncoder().encode(Destination(screen))
        #expect(try JSONDecoder().decode(Destination.self, from: stored) == destination)
    }

    @Test func `the profile is a part of the place, unless the user is being signed out`() {
        var screen = Sydney.pickMeUp(.initial)
        screen.profile = ProfileScreen(Profile.sample())
        #expect(Destination(screen) == Destination(isProfileShown: true))
        screen.profile?.isSigningOut = true
        #expect(Destination(screen) == Destination())
    }

    @Test(arguments: [
        ("Manly", "MANLY", true), ("Café", "cafe", true), ("Manly", "Manly Beach", false), ("", "", true),
    ])
    func `people do not care about case and accents of names`(_ one: String, _ other: String, _ isSame: Bool) {
        #expect(one.isSameName(as: other) == isSame)
        #expect(other.isSameName(as: one) == isSame)
    }
}
