import ClientTesting
import KooberElements
import KooberKit
import KooberScenarios
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

/// The steps of launching, signing in and signing up over the remote API and the data store.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SigningInUseCaseTests {
    enum Form: CaseIterable {
        case signIn, signUp

        /// With blanks around the e-mail address.
        @MainActor
        func makeUseCase(_ container: OnboardingContainer, password: String = "secret") -> any CancelableUseCase {
            switch self {
            case .signIn:
                container.makeSignInUseCase(email: " ada@example.org ", password: Secret(password))
            case .signUp:
                container.makeSignUpUseCase(
                    name: "Ada", email: " ada@example.org ", mobileNumber: "", password: Secret(password))
            }
        }

        /// The call with the completed input.
        var call: ModelCall {
            get throws {
                let (email, password) = ("ada@example.org", Secret("secret"))
                return switch self {
                case .signIn: .signIn(try Credentials(email: email, password: password))
                case .signUp:
                    .signUp(try NewAccount(name: "Ada", email: email, mobileNumber: "", password: password))
                }
            }
        }
    }

    private let model = GatedModel()
    private let app: AppContainer
    private let onboarding: OnboardingContainer
    private let events: EventRecord

    init() {
        app = AppContainer(model: model)
        app.makePresentOnboardingUseCase(error: nil).start()
        onboarding = OnboardingContainer(app: app)
        events = EventRecord(app.events)
    }

    @Test(arguments: Form.allCases)
    func `the session is stored before the signed-in app is shown`(_ form: Form) async throws {
        form.makeUseCase(onboarding).start()
        #expect(onboarding.onboarding.state.form == FormScreen(isBusy: true))
        try await model.passes(form.call)
        try await model.calls.isAsked()
        #expect(app.main.state == .onboarding(nil))
        try await model.passes(.save(ElementsSample.session))
        try await eventually { app.main.state == .signedIn(ElementsSample.session) }
        #expect(events.all == [.signedIn(ElementsSample.session.id)])
        #expect(model.calls.asked == [try form.call, .save(ElementsSample.session)])
    }

    @Test(arguments: Form.allCases)
    func `a refusal is shown, and nothing is stored`(_ form: Form) async throws {
        form.makeUseCase(onboarding).start()
        let error = try await model.fails(form.call)
        try await eventually { onboarding.onboarding.state.errors == [error] }
        #expect(onboarding.onboarding.state.form == FormScreen())
        #expect(app.main.state == .onboarding(nil))
        #expect(model.calls.asked == [try form.call])
        #expect(events.all.isEmpty)
    }

    @Test(arguments: Form.allCases)
    func `a session that cannot be stored is ended at the service`(_ form: Form) async throws {
        form.makeUseCase(onboarding).start()
        try await model.passes(form.call)
        let error = try await model.fails(.save(ElementsSample.session))
        // The first error counts, even if the session goes on.
        _ = try await model.calls.fails(ElementsSample.laterError) { $0 == .signOut(ElementsSample.session) }
        try await eventually { onboarding.onboarding.state.errors == [error] }
        #expect(app.main.state == .onboarding(nil))
        #expect(events.all.isEmpty)
    }

    @Test(arguments: Form.allCases)
    func `incomplete input is not sent, and its problem is shown next to the field`(_ form: Form) async {
        form.makeUseCase(onboarding, password: "").start()
        await turnsPass()
        #expect(onboarding.onboarding.state.form == FormScreen(problems: [.password: .passwordMissing]))
        #expect(onboarding.onboarding.state.errors.isEmpty)
        #expect(model.calls.asked.isEmpty)
    }

    @Test(arguments: Form.allCases)
    func `the problems that the service finds are shown next to their fields`(_ form: Form) async throws {
        form.makeUseCase(onboarding).start()
        let problems = [FormField.email: Phrase.emailTaken]
        let call = try form.call
        _ = try await model.calls.fails(
            ErrorMessage(title: .signUpFailed, message: .emailTaken, fields: problems)
        ) { $0 == call }
        try await eventually { onboarding.onboarding.state.form == FormScreen(problems: problems) }
        #expect(onboarding.onboarding.state.errors.isEmpty)
    }

    @Test(arguments: Form.allCases)
    func `a form that is being sent blocks other forms and navigation`(_ form: Form) async throws {
        form.makeUseCase(onboarding).start()
        try await model.calls.isAsked()
        let before = onboarding.onboarding.state
        for other in Form.allCases {
            other.makeUseCase(onboarding).start()
            other.makeUseCase(onboarding, password: "").start()
        }
        onboarding.makeNavigateOnboardingUseCase(to: .welcome).start()
        await turnsPass()
        #expect(model.calls.asked.count == 1)
        #expect(onboarding.onboarding.state == before)
    }

    @Test(arguments: Form.allCases, [true, false])
    func `an answer after a cancellation changes nothing, and is no event`(_ form: Form, _ succeeds: Bool) async throws
    {
        model.calls.keepsCancelled()
        let useCase = form.makeUseCase(onboarding)
        useCase.start()
        try await model.calls.isAsked()
        useCase.cancel()
        let before = onboarding.onboarding.state
        if succeeds { try await model.passes(form.call) } else { _ = try await model.fails(form.call) }
        if succeeds { try await model.passes(.save(ElementsSample.session)) }
        await turnsPass()
        #expect(onboarding.onboarding.state == before)
        #expect(app.main.state == .onboarding(nil))
        #expect(events.all.isEmpty)
    }

    @Test func `another screen of onboarding has an empty form`() async throws {
        Form.signUp.makeUseCase(onboarding, password: "").start()
        onboarding.makeNavigateOnboardingUseCase(to: .signIn).start()
        #expect(onboarding.onboarding.state == OnboardingState(screen: .signIn))
    }

    @Test func `acknowledging an error removes it alone`() {
        let container = OnboardingContainer(app: app, error: ElementsSample.error)
        container.makeFinishedPresentingErrorUseCase(ElementsSample.laterError).start()
        #expect(container.onboarding.state.errors == [ElementsSample.error])
        container.makeFinishedPresentingErrorUseCase(ElementsSample.error).start()
        #expect(container.onboarding.state.errors.isEmpty)
    }
}

/// The first use case of the app.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LaunchUseCaseTests {
    @Test(arguments: [nil, ElementsSample.session])
    func `the stored session decides what is shown`(_ stored: UserSession?) async throws {
        let model = GatedModel(storedSession: stored)
        let app = AppContainer(model: model)
        LaunchContainer(app: app).makeLaunchUseCase().start()
        try await model.passes(.readSession)
        try await eventually { app.main.state == stored.map(MainState.signedIn) ?? .onboarding(nil) }
        LaunchContainer(app: app).makeLaunchUseCase().start()
        await turnsPass()
        #expect(model.calls.asked == [.readSession])
    }

    @Test func `a session that cannot be read is an error on the launch screen`() async throws {
        let model = GatedModel()
        let app = AppContainer(model: model)
        let container = LaunchContainer(app: app)
        container.makeLaunchUseCase().start()
        let error = try await model.fails(.readSession)
        try await eventually { container.launch.state.errors == [error] }
        #expect(app.main.state == .launching)
        container.makePresentOnboardingUseCase(error: nil).start()
        #expect(app.main.state == .onboarding(nil))
    }

    @Test func `a session that is read after the launch is not shown`() async throws {
        let model = GatedModel(storedSession: ElementsSample.session)
        let app = AppContainer(model: model)
        weak let launch = starts(LaunchContainer(app: app).makeLaunchUseCase())
        app.makePresentOnboardingUseCase(error: nil).start()
        try await model.passes(.readSession)
        try await eventually { launch == nil }
        #expect(app.main.state == .onboarding(nil))
    }
}

/// Records the events of an app.
@MainActor
final class EventRecord {
    private let log = EventLog<AppEvent>()
    private let subscription: AnyObject

    init(_ events: Broadcaster<AppEvent>) {
        subscription = events.subscribe { [log] in log.received($0) }
    }

    var all: [AppEvent] { log.events }
}

/// Starts and returns the use case, without keeping it.
@MainActor
func starts(_ useCase: any CancelableUseCase) -> any CancelableUseCase {
    useCase.start()
    return useCase
}
