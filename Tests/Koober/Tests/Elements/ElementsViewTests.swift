import KooberKit
import KooberScreens
import PouchEntities
import Testing

@testable import KooberElements

/// The views on a fake display. Their responders are objects of their own, as the controllers could be replaced by.
@MainActor struct ElementsViewTests {
    private let display = FakeDisplay()
    private let root: RootView
    private let responder = FakeResponder()

    init() { root = RootView(in: display) }

    /// Shows the view, and returns what it asks its responder for.
    private func asks<Responder>(
        _ view: ContentView<Responder>, _ content: KooberScreen.Content, _ intentions: Intention...
    ) -> [String] {
        view.interactionResponder = responder as? Responder
        view.render(newState: ScreenViewState(content, LaunchState()))
        #expect(display.content == content)
        for intention in intentions { root.perform(intention) }
        return responder.takeRequests()
    }

    @Test func `the welcome screen`() {
        #expect(asks(WelcomeView(in: root), .welcome, .goToSignIn, .goToSignUp) == ["go to sign-in", "go to sign-up"])
    }

    @Test func `the forms`() {
        let secret = Secret("secret")
        #expect(
            asks(SignInView(in: root), .signIn(FormScreen()), .signIn(email: "a", password: secret), .goBack)
                == ["sign in a secret", "return"])
        let signUp = Intention.signUp(name: "A", email: "a", mobileNumber: "1", password: secret)
        #expect(
            asks(SignUpView(in: root), .signUp(FormScreen()), signUp, .goBack) == ["sign up A a 1 secret", "return"])
    }

    @Test func `the map and its lists`() {
        let map = KooberScreen.Content.pickMeUp(PickMeUpScreen(pickupLocation: ElementsSample.sydney))
        #expect(
            asks(
                PickMeUpView(in: root), map, .chooseDropoff, .searchDropoffs("m"), .selectDropoff("Manly"),
                .cancelDropoff, .goBack, .selectRideOption("wallaby"), .confirmRide)
                == ["choose", "search m", "select Manly", "cancel", "cancel", "option wallaby", "request"])
    }

    @Test func `the ride`() {
        let ride = KooberScreen.Content.waitingForPickup(WaitingScreen(ride: ElementsSample.ride()))
        #expect(
            asks(WaitingForPickupView(in: root), ride, .cancelRide, .startNewRide) == ["cancel ride", "start new ride"])
    }

    @Test func `an intention of another screen asks for nothing`() {
        #expect(asks(WelcomeView(in: root), .welcome, .confirmRide, .signOut, .acknowledgeError) == [])
    }

    @Test func `the shown error is acknowledged on any screen, and before anything of the profile`() {
        let (view, profile) = (LaunchView(in: root), ProfileView(in: root))
        (view.interactionResponder, profile.interactionResponder) = (responder, responder)
        profile.render(newState: ProfileScreen(nil))
        view.render(newState: ScreenViewState(.launching, LaunchState(errors: [ElementsSample.error])))
        #expect(display.error == ElementsSample.error)
        root.perform(.acknowledgeError)
        #expect(responder.takeRequests() == ["finished \(ElementsSample.error.id)"])
        view.render(newState: ScreenViewState(.launching, LaunchState()))
        root.perform(.acknowledgeError)
        #expect(display.error == nil && responder.takeRequests() == [])
    }

    @Test func `the profile covers the screen: going back closes it first`() {
        let (map, profile) = (PickMeUpView(in: root), ProfileView(in: root))
        (map.interactionResponder, profile.interactionResponder) = (responder, responder)
        map.render(newState: ScreenViewState(.gettingUserLocation, LaunchState()))
        for intention in [Intention.showProfile, .goBack] { root.perform(intention) }
        #expect(responder.takeRequests() == ["show profile", "cancel"])
        profile.render(newState: ProfileScreen(nil))
        for intention in [Intention.goBack, .closeProfile, .signOut] { root.perform(intention) }
        #expect(responder.takeRequests() == ["close profile", "close profile", "sign out"])
        #expect(display.profile == ProfileScreen(nil))
    }

    @Test func `the latest content gets the intentions, and a view does not keep its responder alive`() {
        let first = WelcomeView(in: root)
        var gone: FakeResponder? = FakeResponder()
        first.interactionResponder = gone
        first.render(newState: ScreenViewState(.welcome, LaunchState()))
        gone = nil
        #expect(first.interactionResponder == nil)
        root.perform(.goToSignIn)
        #expect(asks(SignInView(in: root), .signIn(FormScreen()), .goBack) == ["return"])
        #expect(gone == nil)
    }

    @Test func `the part that ends leaves neither its profile nor its error`() {
        display.show(profile: ProfileScreen(nil))
        display.show(error: ElementsSample.error)
        root.clear()
        root.render(isOffline: true)
        #expect(display.profile == nil && display.error == nil && display.isOffline)
    }
}

@MainActor private final class FakeDisplay: Display {
    let updates = UpdateCycle()
    private(set) var content: KooberScreen.Content?
    private(set) var profile: ProfileScreen?
    private(set) var error: ErrorMessage?
    private(set) var isOffline = false

    func show(_ content: KooberScreen.Content) { self.content = content }
    func show(profile: ProfileScreen?) { self.profile = profile }
    func show(error: ErrorMessage?) { self.error = error }
    func show(isOffline: Bool) { self.isOffline = isOffline }
}

@MainActor
private final class FakeResponder: WelcomeInteractionResponder, SignInInteractionResponder, SignUpInteractionResponder,
    PickMeUpInteractionResponder, WaitingForPickupInteractionResponder, ProfileInteractionResponder
{
    private var requests: [String] = []

    func takeRequests() -> [String] {
        defer { requests = [] }
        return requests
    }

    func finishedPresenting(_ error: ErrorMessage) { requests.append("finished \(error.id)") }
    func goToSignIn() { requests.append("go to sign-in") }
    func goToSignUp() { requests.append("go to sign-up") }
    func signIn(email: String, password: Secret) { requests.append("sign in \(email) \(password.text)") }
    func signUp(name: String, email: String, mobileNumber: String, password: Secret) {
        requests.append("sign up \(name) \(email) \(mobileNumber) \(password.text)")
    }
    func returnToWelcome() { requests.append("return") }
    func chooseDropoffLocation() { requests.append("choose") }
    func searchDropoffLocations(query: String) { requests.append("search \(query)") }
    func selectDropoffLocation(named name: String) { requests.append("select \(name)") }
    func cancelDropoffLocation() { requests.append("cancel") }
    func select(rideOption id: PricedRideOption.ID) { requests.append("option \(id)") }
    func requestRide() { requests.append("request") }
    func cancelRide() { requests.append("cancel ride") }
    func startNewRide() { requests.append("start new ride") }
    func showProfile() { requests.append("show profile") }
    func closeProfile() { requests.append("close profile") }
    func signOut() { requests.append("sign out") }
}
