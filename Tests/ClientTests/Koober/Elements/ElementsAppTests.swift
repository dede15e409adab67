import KooberElements
import KooberKit
import KooberScenarios
import KooberScreens
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ElementsAppTests {
    private func app(_ world: World) async throws -> AppUnderTest {
        let app = AppUnderTest(.elements, world)
        try await app.launchesSignedOut()
        return app
    }

    @Test func `a state that is replaced within the turn is not shown`() async throws {
        let app = try await app(World(SampleService()))
        try app.performs(.goToSignIn)
        try app.performs(.goBack)
        try app.performs(.goToSignUp)
        try await app.shows(.signUp(AppUnderTest.idle))
    }

    @Test func `a state that returns within the turn is not shown again`() async throws {
        let app = try await app(World(SampleService()))
        try app.performs(.goToSignIn)
        try app.performs(.goBack)
        await Task.yield()
        try app.performs(.goToSignUp)
        try await app.shows(.signUp(AppUnderTest.idle))
    }

    @Test func `each stream starts with the present screen, and gets all later ones`() async throws {
        let world = World(SampleService())
        let app = ElementsApp(model: world)
        var early = app.screens().makeAsyncIterator()
        #expect(app.screen == nil)
        app.start()
        app.start()
        #expect(app.screen == KooberScreen(.launching))
        try await world.readUserSession.passes()
        #expect(world.readUserSession.asked.count == 1)
        #expect(await early.next(isolation: #isolation) == KooberScreen(.launching))
        #expect(await early.next(isolation: #isolation) == KooberScreen(.welcome))
        try app.perform(.goToSignIn)
        var late = app.screens().makeAsyncIterator()
        for _ in 1...2 {
            #expect(await late.next(isolation: #isolation) == app.screen)
            #expect(await early.next(isolation: #isolation) == app.screen)
            try? app.perform(.goBack)
        }
    }

    @Test(arguments: [Moment.searches, .sends, .follows, .cancels])
    func `a released app leaves no objects, at any moment`(_ moment: Moment) async throws {
        let app = AppUnderTest(.elements, World(SampleService()))
        try await app.launchesSignedIn()
        try await moment.reach(app)
        app.isReleased()
        for scope in ObjectScope.allCases { try await app.releases(scope) }
    }

    @Test func `an app released during the launch leaves no objects`() async throws {
        let app = AppUnderTest(.elements, World(SampleService()))
        app.start()
        try await app.shows(.launching)
        try await app.world.readUserSession.isAsked()
        app.isReleased()
        for scope in ObjectScope.allCases { try await app.releases(scope) }
    }

    @Test(arguments: [true, false])
    func `an app released while a form is being sent leaves no objects`(_ signsIn: Bool) async throws {
        let app = try await app(World(SampleService()))
        try app.performs(signsIn ? .goToSignIn : .goToSignUp)
        try await app.shows(signsIn ? .signIn(AppUnderTest.idle) : .signUp(AppUnderTest.idle))
        if signsIn {
            try app.performs(.signIn(email: "ada@example.org", password: Secret("secret")))
            try await app.world.signIn.isAsked()
        } else {
            try app.performs(
                .signUp(name: "Ada", email: "ada@example.org", mobileNumber: "", password: Secret("secret")))
            try await app.world.signUp.isAsked()
        }
        app.isReleased()
        for scope in ObjectScope.allCases { try await app.releases(scope) }
    }

    @Test func `the streams end with the app`() async {
        var app: ElementsApp? = ElementsApp(model: World(SampleService()))
        let screens = app?.screens()
        app = nil
        if let screens { for await _ in screens { Issue.record("A released app shows a screen.") } }
    }
}

/// A controller with fakes instead of a model layer, a store and a view.
@MainActor
struct SignInControllerTests {
    private final class FakeUserInterface: ScreenUserInterface {
        var interactionResponder: (any SignInInteractionResponder)?
        private(set) var rendered: [FormViewState] = []

        func render(newState: FormViewState) { rendered.append(newState) }
    }

    private final class FakeObserver: Observer {
        private(set) var log: [String] = []

        func startObserving() { log.append("start") }
        func stopObserving() { log.append("stop") }
    }

    private final class FakeUseCases: SignInUseCaseFactory, NavigateOnboardingUseCaseFactory,
        FinishedPresentingErrorUseCaseFactory
    {
        private(set) var started: [String] = []
        /// The use cases that run until they are cancelled.
        private var running: [FakeUseCase] = []

        func makeSignInUseCase(email: String, password: Secret) -> any CancelableUseCase {
            let useCase = FakeUseCase { self.started.append("sign in \(email) \(password.text)") }
            useCase.didCancel = { self.started.append("cancel \(email)") }
            running.append(useCase)
            return useCase
        }

        func makeNavigateOnboardingUseCase(to screen: OnboardingState.Screen) -> any UseCase {
            FakeUseCase { self.started.append("go to \(screen)") }
        }

        func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase {
            FakeUseCase { self.started.append("finished \(error.title)") }
        }
    }

    private final class FakeUseCase: CancelableUseCase {
        private let didStart: () -> Void
        var didCancel: () -> Void = {}

        init(_ didStart: @escaping () -> Void) { self.didStart = didStart }

        func start() { didStart() }
        func cancel() { didCancel() }
    }

    private let userInterface = FakeUserInterface()
    private let observer = FakeObserver()
    private let useCases = FakeUseCases()
    private let controller: SignInController

    init() {
        controller = SignInController(userInterface: userInterface, observer: observer, useCases: useCases)
    }

    @Test func `it observes while it is active`() {
        #expect(observer.log.isEmpty)
        controller.activate()
        #expect(observer.log == ["start"])
        controller.deactivate()
        #expect(observer.log == ["start", "stop"])
        #expect(useCases.started.isEmpty)
    }

    @Test func `each intention starts its use case`() {
        controller.signIn(email: "ada@example.org", password: Secret("secret"))
        controller.returnToWelcome()
        controller.finishedPresenting(ErrorMessage(title: "No connection", message: ""))
        #expect(useCases.started == ["sign in ada@example.org secret", "go to welcome", "finished No connection"])
        #expect(userInterface.rendered.isEmpty)
    }

    @Test func `it is the responder of its user interface`() {
        #expect(userInterface.interactionResponder === controller)
    }

    @Test func `deactivating it cancels its running use cases`() {
        controller.signIn(email: "ada", password: Secret("1"))
        controller.signIn(email: "grace", password: Secret("2"))
        controller.deactivate()
        #expect(useCases.started == ["sign in ada 1", "sign in grace 2", "cancel ada", "cancel grace"])
    }

    @Test func `it renders new states, and starts no use case for them`() {
        let container = OnboardingContainer(app: AppContainer(model: World(SampleService())))
        let observer = EventObserver(container.onboarding.select { FormViewState($0) })
        observer.deliver(to: controller) { $0.received(viewState: $1) }
        observer.startObserving()
        container.makeSignInUseCase(email: "ada@example.org", password: Secret("secret")).start()
        #expect(userInterface.rendered.map(\.activityIndicatorAnimating) == [false, true])
        #expect(userInterface.rendered.map(\.inputsEnabled) == [true, false])
        #expect(userInterface.rendered.map(\.buttonEnabled) == [true, false])
        #expect(useCases.started.isEmpty)
    }
}

/// Records events.
@MainActor
final class RecordingEventResponder<Event> {
    private(set) var events: [Event] = []

    func received(_ event: Event) { events.append(event) }
}

/// Counts its subscribers.
@MainActor
final class CountingSource<Event>: EventSource {
    private(set) var attachCount = 0
    private let broadcaster = Broadcaster<Event>()

    func attach(_ subscription: Subscription<Event>) {
        attachCount += 1
        broadcaster.attach(subscription)
    }

    func send(_ event: Event) { broadcaster.broadcast(event) }
}

/// Waits for a state that meets the condition.
@MainActor
func state<State: Sendable>(
    of store: StateStore<State>, where isMet: @escaping @MainActor (State) -> Bool
) async throws -> State {
    let (states, continuation) = AsyncStream<State>.makeStream()
    let subscription = Subscription<State> { if isMet($0) { continuation.yield($0) } }
    store.attach(subscription)
    defer { subscription.cancel() }
    for await state in states { return state }
    throw CancellationError()
}

/// Starts and returns the use case, without keeping it.
@MainActor
func starts(_ useCase: any CancelableUseCase) -> any CancelableUseCase {
    useCase.start()
    return useCase
}
