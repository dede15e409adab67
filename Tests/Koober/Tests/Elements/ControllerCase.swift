import KooberKit
import KooberScreens
import PouchEntities
import Testing

@testable import KooberElements

/// A controller among fakes, with all that it has to do.
struct ControllerCase: Sendable, CustomTestStringConvertible {
    /// An event of the observer or an interaction of the user.
    struct Step<Of>: Sendable {
        let act: @MainActor @Sendable (Of) -> Void
        /// The consequences, in order.
        let effects: [ControllerEvent]
    }

    let testDescription: String
    let make: @MainActor @Sendable (ControllerFakes) -> any Controller
    /// The consequences of the activation.
    let activation: [ControllerEvent]
    /// In this order, on one active controller.
    let steps: [Step<any Controller>]
    /// The consequences of the deactivation after the last step.
    let deactivation: [ControllerEvent]

    init<Of: Controller>(
        _ make: @escaping @MainActor @Sendable (ControllerFakes) -> Of, activation: [ControllerEvent] = [.observes()],
        steps: [Step<Of>], deactivation: [ControllerEvent]
    ) {
        testDescription = "\(Of.self)"
        self.make = make
        self.activation = activation
        self.steps = steps.map { step in
            Step(act: { if let controller = $0 as? Of { step.act(controller) } }, effects: step.effects)
        }
        self.deactivation = deactivation
    }
}

/// - Parameter effects: the consequences of the act.
private func after<Of>(
    _ act: @escaping @MainActor @Sendable (Of) -> Void, _ effects: ControllerEvent...
) -> ControllerCase.Step<Of> { ControllerCase.Step(act: act, effects: effects) }

extension ControllerCase {
    static let all = [
        launch, main, onboarding, welcome, signIn, signUp, signedIn, profile, gettingUserLocation, pickMeUp,
        waitingForPickup,
    ]

    private static func state(_ content: KooberScreen.Content, _ errors: [ErrorMessage] = []) -> ScreenViewState {
        ScreenViewState(content, LaunchState(errors: errors))
    }

    // MARK: Signed out

    private static let launch = ControllerCase(
        { LaunchController(userInterface: $0.screen(), observer: $0.observer, useCases: $0.useCases) },
        activation: [.observes(), .starts(.launch)],
        steps: [
            after({ $0.received(viewState: state(.launching)) }, .renders(state(.launching))),
            after(
                { $0.received(viewState: state(.launching, [Sample.error])) },
                .renders(state(.launching, [Sample.error]))),
            after({ $0.finishedPresenting(Sample.error) }, .starts(.presentOnboarding(nil))),
        ], deactivation: [.stopsObserving(), .cancels(.launch)])

    private static let main = ControllerCase(
        {
            MainController(
                userInterface: $0.window(), observer: $0.observer, useCases: $0.useCases, children: $0.children)
        },
        steps: [
            after({ $0.received(newState: .launching) }, .clears, .makes(.launch), .activates(.launch)),
            after(
                { $0.received(newState: .signedIn(Sample.session)) }, .deactivates(.launch), .clears,
                .makes(.signedIn(Sample.session)), .activates(.signedIn(Sample.session))),
            after({ $0.connectivityDidChange(isOnline: false) }, .rendersOffline(true)),
            after({ $0.connectivityDidChange(isOnline: true) }, .rendersOffline(false)),
            after(
                { $0.received(event: .sessionEnded(Sample.error)) },
                .starts(.presentOnboarding(Sample.error))),
            after({ $0.received(event: .signedIn("ses_1")) }),
            after({ $0.received(event: .signedOut) }),
            after({ $0.received(event: .rideRequested("rid_1", option: "wallaby")) }),
            after({ $0.received(event: .rideEnded("rid_1", .completed)) }),
            after(
                { $0.received(newState: .onboarding(Sample.error)) },
                .deactivates(.signedIn(Sample.session)), .clears,
                .makes(.onboarding(Sample.error)), .activates(.onboarding(Sample.error))),
        ], deactivation: [.stopsObserving(), .deactivates(.onboarding(Sample.error))])

    private static let onboarding = ControllerCase(
        { OnboardingController(observer: $0.observer, children: $0.children) },
        steps: [
            after({ $0.received(newScreen: .welcome) }, .makes(.welcome), .activates(.welcome)),
            after({ $0.received(newScreen: .signIn) }, .deactivates(.welcome), .makes(.signIn), .activates(.signIn)),
            after({ $0.received(newScreen: .signUp) }, .deactivates(.signIn), .makes(.signUp), .activates(.signUp)),
        ], deactivation: [.stopsObserving(), .deactivates(.signUp)])

    private static let welcome = ControllerCase(
        { WelcomeController(userInterface: $0.screen(), observer: $0.observer, useCases: $0.useCases) },
        steps: [
            after({ $0.received(viewState: state(.welcome)) }, .renders(state(.welcome))),
            after({ $0.goToSignIn() }, .starts(.navigate(.signIn))),
            after({ $0.goToSignUp() }, .starts(.navigate(.signUp))),
            after({ $0.finishedPresenting(Sample.error) }, .starts(.finishedPresenting(Sample.error))),
        ], deactivation: [.stopsObserving()])

    private static let credentials = UseCaseCall.signIn(email: "ada@example.org", password: Secret("secret"))
    private static let signIn = ControllerCase(
        { SignInController(userInterface: $0.screen(), observer: $0.observer, useCases: $0.useCases) },
        steps: [
            after(
                { $0.received(viewState: state(.signIn(FormScreen(isBusy: true)))) },
                .renders(state(.signIn(FormScreen(isBusy: true))))),
            after({ $0.signIn(email: "ada@example.org", password: Secret("secret")) }, .starts(credentials)),
            after({ $0.returnToWelcome() }, .starts(.navigate(.welcome))),
            after({ $0.finishedPresenting(Sample.error) }, .starts(.finishedPresenting(Sample.error))),
        ], deactivation: [.stopsObserving(), .cancels(credentials)])

    private static let account = UseCaseCall.signUp(
        name: "Ada", email: "ada@example.org", mobileNumber: "123", password: Secret("secret"))
    private static let signUp = ControllerCase(
        { SignUpController(userInterface: $0.screen(), observer: $0.observer, useCases: $0.useCases) },
        steps: [
            after({ $0.received(viewState: state(.signUp(FormScreen()))) }, .renders(state(.signUp(FormScreen())))),
            after(
                { $0.signUp(name: "Ada", email: "ada@example.org", mobileNumber: "123", password: Secret("secret")) },
                .starts(account)),
            after({ $0.returnToWelcome() }, .starts(.navigate(.welcome))),
            after({ $0.finishedPresenting(Sample.error) }, .starts(.finishedPresenting(Sample.error))),
        ], deactivation: [.stopsObserving(), .cancels(account)])

    // MARK: Signed in

    private static let signedIn = ControllerCase(
        {
            SignedInController(
                observer: $0.observer, profile: $0.children.profile(), useCases: $0.useCases, children: $0.children)
        },
        activation: [.observes(), .activates(.profile), .starts(.followSession)],
        steps: [
            after(
                { $0.received(newScreen: .gettingUserLocation) }, .makes(.gettingUserLocation),
                .activates(.gettingUserLocation)),
            after(
                { $0.received(newScreen: .pickMeUp(pickupLocation: Sample.sydney)) },
                .deactivates(.gettingUserLocation), .makes(.pickMeUp(Sample.sydney)),
                .activates(.pickMeUp(Sample.sydney))),
            after(
                { $0.received(newScreen: .waitingForPickup(Sample.ride())) },
                .deactivates(.pickMeUp(Sample.sydney)),
                .makes(.waitingForPickup(Sample.ride())), .activates(.waitingForPickup(Sample.ride()))),
        ],
        deactivation: [
            .stopsObserving(), .deactivates(.waitingForPickup(Sample.ride())), .deactivates(.profile),
            .cancels(.followSession),
        ])

    private static let profileScreen = ProfileScreen(Sample.session.profile)
    private static let profile = ControllerCase(
        { ProfileController(userInterface: $0.profile(), observer: $0.observer, useCases: $0.useCases) },
        steps: [
            after({ $0.received(viewState: profileScreen) }, .rendersProfile(profileScreen)),
            after({ $0.received(viewState: nil) }, .rendersProfile(nil)),
            after({ $0.showProfile() }, .starts(.presentProfile(true))),
            after({ $0.closeProfile() }, .starts(.presentProfile(false))),
            after({ $0.signOut() }, .starts(.signOut)),
        ], deactivation: [.stopsObserving(), .cancels(.signOut)])

    private static let gettingUserLocation = ControllerCase(
        { GettingUserLocationController(userInterface: $0.screen(), observer: $0.observer, useCases: $0.useCases) },
        activation: [.observes(), .starts(.findRideOrLocation)],
        steps: [
            after({ $0.received(viewState: state(.gettingUserLocation)) }, .renders(state(.gettingUserLocation))),
            // Two searches would race.
            after(
                { $0.finishedPresenting(Sample.error) }, .starts(.finishedPresenting(Sample.error)),
                .cancels(.findRideOrLocation), .starts(.findRideOrLocation)),
        ], deactivation: [.stopsObserving(), .cancels(.findRideOrLocation)])

    private static let waiting = state(
        .waitingForPickup(WaitingScreen(ride: Sample.ride(), isCancelling: true)))
    private static let waitingForPickup = ControllerCase(
        { WaitingForPickupController(userInterface: $0.screen(), observer: $0.observer, useCases: $0.useCases) },
        activation: [.observes(), .starts(.followRide)],
        steps: [
            after({ $0.received(viewState: waiting) }, .renders(waiting)),
            after({ $0.cancelRide() }, .starts(.cancelRide)),
            after({ $0.startNewRide() }, .starts(.startNewRide)),
            after(
                { $0.finishedPresenting(Sample.error) }, .starts(.finishedPresenting(Sample.error)),
                .starts(.resumeRide(Sample.error))),
        ],
        deactivation: [
            .stopsObserving(), .cancels(.cancelRide), .cancels(.followRide),
            .cancels(.resumeRide(Sample.error)),
        ])
}
