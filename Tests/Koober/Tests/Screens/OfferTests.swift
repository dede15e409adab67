import KooberScreens
import KooberTexts
import PouchEntities
import PouchTesting
import Testing

/// The intentions that each screen offers: exactly the listed ones.
struct OfferTests {
    enum Deed: CaseIterable {
        case goToSignUp, goToSignIn, goBack, signIn, signUp, chooseDropoff, searchDropoffs, selectShown, selectHidden
        case cancelDropoff, selectOption, selectNoOption, confirmRide, cancelRide, startNewRide, showProfile
        case closeProfile, signOut, acknowledgeError

        var intention: Intention {
            switch self {
            case .goToSignUp: .goToSignUp
            case .goToSignIn: .goToSignIn
            case .goBack: .goBack
            case .signIn: .signIn(email: "a@b.c", password: Secret("secret"))
            case .signUp: .signUp(name: "A", email: "a@b.c", mobileNumber: "", password: Secret("secret"))
            case .chooseDropoff: .chooseDropoff
            case .searchDropoffs: .searchDropoffs("Manly")
            case .selectShown: .selectDropoff("Manly")
            case .selectHidden: .selectDropoff("Bondi Beach")
            case .cancelDropoff: .cancelDropoff
            case .selectOption: .selectRideOption("wallaby")
            case .selectNoOption: .selectRideOption("unicorn")
            case .confirmRide: .confirmRide
            case .cancelRide: .cancelRide
            case .startNewRide: .startNewRide
            case .showProfile: .showProfile
            case .closeProfile: .closeProfile
            case .signOut: .signOut
            case .acknowledgeError: .acknowledgeError
            }
        }
    }

    private static let manly = Sample.manly

    private static func map(_ step: PickMeUpScreen.Step, to dropoff: NamedLocation? = nil) -> KooberScreen.Content {
        .pickMeUp(PickMeUpScreen(pickupLocation: Sample.sydney, dropoffLocation: dropoff, step: step))
    }

    private static func ride(_ status: RideStatus, isCancelling: Bool = false) -> KooberScreen.Content {
        .waitingForPickup(WaitingScreen(ride: Ride.sample(status), isCancelling: isCancelling))
    }

    private static let results = DropoffPicker(results: [manly], from: Sample.sydney)
    private static let offer = RideOptionPicker(Sample.options, selected: nil, isLoading: false)

    /// Each content with what it offers, and the way back.
    private static let table: [(KooberScreen.Content, Set<Deed>, Intention?)] = [
        (.launching, [], nil), (.welcome, [.goToSignIn, .goToSignUp], nil),
        (.signIn(FormScreen()), [.signIn, .goBack], .goBack), (.signUp(FormScreen()), [.signUp, .goBack], .goBack),
        (.signIn(FormScreen(isBusy: true)), [], nil), (.signUp(FormScreen(isBusy: true)), [], nil),
        (.gettingUserLocation, [.showProfile], nil), (map(.initial), [.chooseDropoff, .showProfile], nil),
        (
            map(.selectDropoffLocation(results)),
            [.searchDropoffs, .selectShown, .cancelDropoff, .goBack, .showProfile], .goBack
        ),
        (
            map(.selectDropoffLocation(DropoffPicker(from: Sample.sydney, isSearching: true))),
            [.searchDropoffs, .cancelDropoff, .goBack, .showProfile], .goBack
        ),
        (map(.selectRideOption(offer), to: manly), [.chooseDropoff, .selectOption, .showProfile], .chooseDropoff),
        (
            map(.selectRideOption(RideOptionPicker(isLoading: true)), to: manly), [.chooseDropoff, .showProfile],
            .chooseDropoff
        ),
        (
            map(.confirmRequest(offer), to: manly), [.chooseDropoff, .selectOption, .confirmRide, .showProfile],
            .chooseDropoff
        ),
        (map(.sendingRideRequest, to: manly), [], nil), (ride(.requested), [.cancelRide, .showProfile], nil),
        (ride(.accepted), [.cancelRide, .showProfile], nil), (ride(.arriving), [.cancelRide, .showProfile], nil),
        (ride(.accepted, isCancelling: true), [.showProfile], nil), (ride(.inProgress), [.showProfile], nil),
        (ride(.completed), [.startNewRide, .showProfile], nil),
        (ride(.cancelledByRider), [.startNewRide, .showProfile], nil),
        (ride(.cancelledByDriver), [.startNewRide, .showProfile], nil),
        (ride(.noDriversAvailable), [.startNewRide, .showProfile], nil),
    ]

    private func offered(by screen: KooberScreen) -> Set<Deed> {
        Set(Deed.allCases.filter { screen.offers($0.intention) })
    }

    @Test(arguments: table.indices)
    func `a screen offers exactly what makes sense on it`(_ index: Int) {
        let (content, deeds, backIntention) = Self.table[index]
        for isOffline in [false, true] {
            let screen = KooberScreen(content, isOffline: isOffline)
            #expect(offered(by: screen) == deeds)
            #expect(screen.backIntention == backIntention)
        }
    }

    @Test(arguments: table.indices)
    func `the profile covers every content, and an error covers both`(_ index: Int) {
        var screen = KooberScreen(Self.table[index].0, profile: ProfileScreen(Profile.sample()))
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
