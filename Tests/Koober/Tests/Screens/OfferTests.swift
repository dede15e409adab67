import KooberScenarios
import KooberScreens
import KooberTexts
import PouchEntities
import PouchTesting
import Testing

/// The intentions that each screen offers: exactly the listed ones.
struct OfferTests {
    private static let signIn = Intention.signIn(email: "a", password: Secret("b"))
    private static let signUp = Intention.signUp(name: "a", email: "b", mobileNumber: "", password: Secret("c"))
    /// One of each intention, two of the choices: one that a screen shows, and one that none does.
    private static let intentions =
        AppUnderTest.intentions + [.selectDropoff("Bondi Beach"), .selectRideOption("wallaby")]

    private static func ride(_ status: RideStatus, isCancelling: Bool = false) -> KooberScreen {
        Sydney.waiting(Sydney.ride(status), isCancelling: isCancelling)
    }

    /// Each screen with what it offers, and the way back.
    private static let table: [(KooberScreen, Set<Intention>, Intention?)] = [
        (KooberScreen(.launching), [], nil), (KooberScreen(.welcome), [.goToSignIn, .goToSignUp], nil),
        (KooberScreen(.signIn(FormScreen())), [signIn, .goBack], .goBack),
        (KooberScreen(.signUp(FormScreen())), [signUp, .goBack], .goBack),
        (KooberScreen(.signIn(FormScreen(isBusy: true))), [], nil),
        (KooberScreen(.signUp(FormScreen(isBusy: true))), [], nil),
        (KooberScreen(.gettingUserLocation), [.showProfile], nil),
        (Sydney.pickMeUp(.initial), [.chooseDropoff, .showProfile], nil),
        (
            Sydney.search("", [Sydney.bondi]),
            [.searchDropoffs("a"), .selectDropoff("Bondi Beach"), .cancelDropoff, .goBack, .showProfile], .goBack
        ),
        (Sydney.search(isSearching: true), [.searchDropoffs("a"), .cancelDropoff, .goBack, .showProfile], .goBack),
        (Sydney.offer(), [.chooseDropoff, .selectRideOption("wallaby"), .showProfile], .chooseDropoff),
        (Sydney.loading, [.chooseDropoff, .showProfile], .chooseDropoff),
        (
            Sydney.offer(selected: "kangaroo"),
            [.chooseDropoff, .selectRideOption("wallaby"), .confirmRide, .showProfile], .chooseDropoff
        ),
        (Sydney.pickMeUp(.sendingRideRequest, to: Sydney.bondi), [], nil),
        (ride(.requested), [.cancelRide, .showProfile], nil), (ride(.accepted), [.cancelRide, .showProfile], nil),
        (ride(.arriving), [.cancelRide, .showProfile], nil),
        (ride(.accepted, isCancelling: true), [.showProfile], nil), (ride(.inProgress), [.showProfile], nil),
        (ride(.completed), [.startNewRide, .showProfile], nil),
        (ride(.cancelledByRider), [.startNewRide, .showProfile], nil),
        (ride(.cancelledByDriver), [.startNewRide, .showProfile], nil),
        (ride(.noDriversAvailable), [.startNewRide, .showProfile], nil),
    ]

    private func offered(by screen: KooberScreen) -> Set<Intention> { Set(Self.intentions.filter(screen.offers)) }

    @Test(arguments: table.indices)
    func `a screen offers exactly what makes sense on it`(_ index: Int) {
        let (online, intentions, backIntention) = Self.table[index]
        for isOffline in [false, true] {
            var screen = online
            screen.isOffline = isOffline
            #expect(offered(by: screen) == intentions)
            #expect(screen.backIntention == backIntention)
        }
    }

    @Test(arguments: table.indices)
    func `the profile covers every content, and an error covers both`(_ index: Int) {
        var screen = Self.table[index].0
        screen.profile = ProfileScreen(Profile.sample())
        #expect(offered(by: screen) == [.closeProfile, .signOut, .goBack])
        #expect(screen.backIntention == .goBack)
        screen.profile?.isSigningOut = true
        #expect(offered(by: screen) == [])
        #expect(screen.backIntention == nil)
        screen.error = ErrorNote(title: .signedOut, message: .tryAgain)
        #expect(offered(by: screen) == [.acknowledgeError])
        screen.profile = nil
        #expect(offered(by: screen) == [.acknowledgeError])
        #expect(screen.backIntention == nil)
    }
}
