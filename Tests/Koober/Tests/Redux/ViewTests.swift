import KooberKit
import KooberScreens
import PouchEntities
import Testing

@testable import KooberRedux

/// The views among fake user interactions, without a store of the app.
@MainActor struct ViewTests {
    private let interactions = FakeUserInteractions()
    private let display = RecordingDisplay()

    private static let intentions: [Intention] = [
        .goToSignUp, .goToSignIn, .goBack, .signIn(email: "a", password: Secret("b")),
        .signUp(name: "a", email: "b", mobileNumber: "c", password: Secret("d")), .chooseDropoff,
        .searchDropoffs("a"), .selectDropoff("b"), .cancelDropoff, .selectRideOption("c"), .confirmRide, .cancelRide,
        .startNewRide, .showProfile, .closeProfile, .signOut, .acknowledgeError,
    ]

    /// Returns a part of a state that never changes.
    private func part<Part: Equatable & Sendable>(_ value: Part) -> StatePublisher<Part> {
        Store<Part, Never>(state: value, reducer: { _, _ in }, updates: display.updates).publisher
    }

    /// Returns what the view makes of all intentions.
    private func calls(of view: ScreenView) -> [String] {
        for intention in Self.intentions { view.perform(intention) }
        return interactions.calls.values
    }

    @Test func `the views of the launch and of the location pass nothing on`() {
        let views = [
            LaunchView(userInteractions: interactions, in: display),
            GettingUserLocationView(userInteractions: interactions, in: display),
        ]
        #expect(display.renders == ["launching": 1, "gettingUserLocation": 1])
        for view in views { #expect(calls(of: view).isEmpty) }
    }

    @Test func `the onboarding passes its intentions on, and no others`() {
        let view = OnboardingView(
            screen: part(.welcoming), userInteractions: interactions, signIn: interactions, signUp: interactions,
            in: display)
        #expect(calls(of: view) == ["go to sign up", "go to sign in", "return", "sign in a b", "sign up a b c d"])
    }

    @Test func `the map passes its intentions on, and no others`() {
        let view = PickMeUpView(
            screen: part(PickMeUpScreen(pickupLocation: ReduxSample.here)), userInteractions: interactions, in: display)
        #expect(
            calls(of: view) == ["open picker", "search a", "select drop-off b", "close picker", "select c", "confirm"])
    }

    @Test func `the waiting view passes its intentions on, and no others`() {
        let view = WaitingForPickupView(
            screen: part(WaitingScreen(ride: ReduxSample.ride(.requested))), userInteractions: interactions, in: display
        )
        #expect(calls(of: view) == ["cancel ride", "start new ride"])
    }

    @Test func `the profile passes its intentions on, and no others`() {
        let view = ProfileView(screen: part(nil), userInteractions: interactions, in: display)
        #expect(calls(of: view) == ["show profile", "close profile", "sign out"])
    }

    @Test func `the signed-in view goes back itself, and passes the rest to the profile and to the stage`() {
        let factory = FakeViewFactory(interactions: interactions, part: part(nil))
        let view = SignedInView(
            content: part(.waitingForPickup), userInteractions: interactions, viewFactory: factory, in: display)
        #expect(
            calls(of: view) == [
                "go back", "cancel ride", "start new ride", "show profile", "close profile", "sign out",
            ])
    }

    @Test func `the main view ends the error itself, and passes the rest to the shown part`() {
        let factory = FakeViewFactory(interactions: interactions, part: part(nil))
        let view = MainView(
            state: part(AppState(.signedIn(SignedInState(session: SessionState(ReduxSample.ada))))),
            userInteractions: interactions, viewFactory: factory, in: display)
        #expect(calls(of: view) == ["cancel ride", "start new ride", "finish error"])
    }

    /// A view has nothing but its interactions, its display, its subscriptions and its child views, so that it can hold
    /// no state and reach no store.
    @Test func `no view holds a state`() {
        var kinds: Set<String> = []
        for state in ReachableStates.ofEachScreen {
            let container = AppDependencyContainer(
                model: EffectModel(), state: state, middleware: [], updates: display.updates)
            kinds.formUnion(heldByViews(from: container.makeMainView(in: display)))
        }
        #expect(
            kinds.sorted() == [
                "Array<Subscription>", "a child view", "a display", "a view factory", "user interactions",
            ])
    }

    private func heldByViews(from view: ScreenView) -> Set<String> {
        let classes = sequence(first: Mirror(reflecting: view)) { $0.superclassMirror }
        var kinds: Set<String> = []
        for property in classes.flatMap(\.children) {
            switch property.value {
            case let child as StateView:
                kinds.insert("a child view")
                kinds.formUnion(heldByViews(from: child))
            case is any MainUserInteractions, is any LaunchingUserInteractions, is any OnboardingUserInteractions,
                is any SignInUserInteractions, is any SignUpUserInteractions, is any SignedInUserInteractions,
                is any ProfileUserInteractions, is any GettingUserLocationUserInteractions,
                is any PickMeUpUserInteractions, is any WaitingForPickupUserInteractions:
                kinds.insert("user interactions")
            case is any SignedInViewFactory: kinds.insert("a view factory")
            case is any Display: kinds.insert("a display")
            default: kinds.insert("\(type(of: property.value))")
            }
        }
        return kinds
    }
}

@MainActor
private final class FakeUserInteractions: MainUserInteractions, LaunchingUserInteractions, OnboardingUserInteractions,
    SignInUserInteractions, SignUpUserInteractions, SignedInUserInteractions, ProfileUserInteractions,
    GettingUserLocationUserInteractions, PickMeUpUserInteractions, DropoffLocationPickerUserInteractions,
    RideOptionPickerUserInteractions, WaitingForPickupUserInteractions
{
    let calls = Received<String>()

    func finishedPresentingError() { calls.append("finish error") }
    func goToSignIn() { calls.append("go to sign in") }
    func goToSignUp() { calls.append("go to sign up") }
    func returnedToWelcome() { calls.append("return") }
    func signIn(email: String, password: Secret) { calls.append("sign in \(email) \(password.text)") }
    func signUp(name: String, email: String, mobileNumber: String, password: Secret) {
        calls.append("sign up \(name) \(email) \(mobileNumber) \(password.text)")
    }
    func goBack() { calls.append("go back") }
    func showProfile() { calls.append("show profile") }
    func closeProfile() { calls.append("close profile") }
    func signOut() { calls.append("sign out") }
    func goToDropoffLocationPicker() { calls.append("open picker") }
    func search(using query: String) { calls.append("search \(query)") }
    func selectDropoffLocation(named name: String) { calls.append("select drop-off \(name)") }
    func closeDropoffLocationPicker() { calls.append("close picker") }
    func selectRideOption(_ id: RideOption.ID) { calls.append("select \(id)") }
    func confirmRide() { calls.append("confirm") }
    func cancelRide() { calls.append("cancel ride") }
    func startNewRide() { calls.append("start new ride") }
}

/// Makes the view of a ride for any stage.
@MainActor private final class FakeViewFactory: MainViewFactory, SignedInViewFactory {
    private let interactions: FakeUserInteractions
    private let part: StatePublisher<ProfileScreen?>

    init(interactions: FakeUserInteractions, part: StatePublisher<ProfileScreen?>) {
        self.interactions = interactions
        self.part = part
    }

    private func makeView(in display: any Display) -> StateView {
        WaitingForPickupView(
            screen: part.select { _ in WaitingScreen(ride: ReduxSample.ride(.requested)) },
            userInteractions: interactions,
            in: display)
    }

    func makeLaunchView(in display: any Display) -> StateView { makeView(in: display) }
    func makeOnboardingView(in display: any Display) -> StateView { makeView(in: display) }
    func makeSignedInView(in display: any Display) -> StateView? { makeView(in: display) }
    func makeProfileView(in display: any Display) -> ProfileView {
        ProfileView(screen: part, userInteractions: interactions, in: display)
    }
    func makeGettingUserLocationView(in display: any Display) -> StateView { makeView(in: display) }
    func makePickMeUpView(in display: any Display) -> StateView { makeView(in: display) }
    func makeWaitingForPickupView(in display: any Display) -> StateView { makeView(in: display) }
}
