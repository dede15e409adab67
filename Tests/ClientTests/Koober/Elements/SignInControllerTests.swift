import KooberElements
import KooberKit
import KooberScenarios
import Testing

/// A controller among fakes: no model layer, no store, no view.
@MainActor
struct SignInControllerTests {
    private final class FakeUserInterface: FormUserInterface {
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
        /// Those that go on until they are cancelled.
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

    @Test func `it listens while it is active`() {
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

    @Test func `it is told of what is done in its user interface`() {
        #expect(userInterface.interactionResponder === controller)
    }

    @Test func `whatever it started and still runs is cancelled with it`() {
        controller.signIn(email: "ada", password: Secret("1"))
        controller.signIn(email: "grace", password: Secret("2"))
        controller.deactivate()
        #expect(useCases.started == ["sign in ada 1", "sign in grace 2", "cancel ada", "cancel grace"])
    }

    @Test func `it renders what it is told, and starts nothing for it`() {
        let container = AppContainer(model: World(SampleService())).makeOnboardingContainer()
        let observer = EventObserver(container.onboarding.select { FormViewState($0) })
        observer.deliver(to: controller) { $0.received(newState: $1) }
        observer.startObserving()
        container.makeSignInUseCase(email: "ada@example.org", password: Secret("secret")).start()
        #expect(userInterface.rendered.map(\.activityIndicatorAnimating) == [false, true])
        #expect(userInterface.rendered.map(\.inputsEnabled) == [true, false])
        #expect(userInterface.rendered.map(\.buttonEnabled) == [true, false])
        #expect(useCases.started.isEmpty)
    }
}
