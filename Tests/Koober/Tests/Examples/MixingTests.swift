import ClientTesting
import KooberElements
import KooberKit
import KooberMVVMCore
import KooberMixing
import KooberRedux
import KooberScenarios
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

/// One element of an architecture in another one.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct MixingTests {
    private let service = SampleService()
    private let world: World

    init() { world = World(service) }

    @MainActor private struct Form {
        let app: AppContainer
        let errorMessages = ErrorMessages()
        let viewModel: SignInViewModel

        init(_ world: World) {
            app = AppContainer(model: world)
            let container = OnboardingContainer(app: app)
            viewModel = SignInViewModel(
                onboarding: container.onboarding, useCases: container, errorMessages: errorMessages)
        }

        func send(_ email: String, _ password: String) {
            viewModel.email = email
            viewModel.password = Secret(password)
            viewModel.signIn()
        }
    }

    @Test func `a view binds to the state that the use case writes`() async throws {
        let form = Form(world)
        let updates = UpdateCycle()
        var shown: [FormScreen] = []
        let binding = updates.subscribe(to: { form.viewModel.form }) { shown.append($0) }
        form.send("", "secret")
        updates.flush()
        form.send(service.rider.email, service.rider.password)
        updates.flush()
        let problems: [FormField: Phrase] = [.email: .emailMissing]
        #expect(shown == [FormScreen(), FormScreen(problems: problems), FormScreen(isBusy: true)])
        let session = try await world.signIn.passes()
        try await eventually { form.app.main.state == .signedIn(session) }
        #expect(world.signIn.asked == [service.rider.email])
        #expect(try await service.model.makeUserSessionDataStore().readUserSession() == session)
        withExtendedLifetime(binding) {}
    }

    @Test func `errors of the use case reach the errors of the view models`() async throws {
        let form = Form(world)
        form.send(service.rider.email, "wrong")
        let error = try await world.signIn.isRefused()
        try await eventually { form.viewModel.hasErrors }
        form.viewModel.publishErrors()
        #expect(form.errorMessages.pending == [error])
        #expect(!form.viewModel.hasErrors)
        #expect(form.viewModel.form == FormScreen())
    }

    private final class Witness: ConnectivityEventResponder {
        private(set) var isOnline: Bool?

        func connectivityDidChange(isOnline: Bool) { self.isOnline = isOnline }
    }

    @Test func `a plain object learns of the connection while its observer is started`() async throws {
        let source = world.makeConnectivitySource()
        let (observer, other) = (ConnectivityObserver(source), ConnectivityObserver(source))
        let (log, witness) = (ConnectionLog(observer: observer), Witness())
        observer.deliver(to: log)
        other.deliver(to: witness)
        other.startObserving()
        func changes(isOnline: Bool) async throws {
            world.isOnline(isOnline)
            try await eventually { witness.isOnline == isOnline }
        }
        try await changes(isOnline: false)
        try await changes(isOnline: true)
        #expect(log.interruptions == 0)
        log.isLogging = true
        try await changes(isOnline: false)
        try await eventually { log.interruptions == 1 }
        log.isLogging = false
        try await changes(isOnline: true)
        try await changes(isOnline: false)
        #expect(log.interruptions == 1)
    }

    @Test func `the observer does not keep the object, and the object needs no connection`() {
        let observer = ConnectivityObserver(world.makeConnectivitySource())
        weak var released: ConnectionLog?
        do {
            let log = ConnectionLog(observer: observer)
            observer.deliver(to: log)
            log.isLogging = true
            released = log
            for isOnline in [true, false, false, true, false] { log.connectivityDidChange(isOnline: isOnline) }
            #expect(log.interruptions == 2)
        }
        #expect(released == nil)
    }

    private final class SignInScreen: UserInterface {
        weak var interactionResponder: (any SignInInteractionResponder)?
        var rendered: [ScreenViewState] = []

        func render(newState: ScreenViewState) { rendered.append(newState) }
    }

    private let screen = SignInScreen()
    private let actions = Received<AppAction>()

    private func makeStore() -> Store<AppState, AppAction> {
        var onboarding = KooberRedux.OnboardingState()
        onboarding.screen = .signingIn(FormScreen())
        return Store(
            state: AppState(.onboarding(onboarding)), reducer: Reducers.app,
            middleware: [{ [actions] action, _ in actions.append(action) }])
    }

    /// Fills in and sends the form of the screen.
    private func send(_ password: String) {
        screen.interactionResponder?.signIn(email: service.rider.email, password: Secret(password))
    }

    @Test func `the controller renders the state of the store, and its use cases dispatch actions`() async throws {
        let store = makeStore()
        let controller = makeSignInController(in: screen, on: store, remoteAPI: world.makeAuthRemoteAPI())
        controller.activate()
        send("wrong")
        let error = try await world.signIn.isRefused()
        try await eventually { actions.values.count == 2 }
        screen.interactionResponder?.finishedPresenting(error)
        let contents = [FormScreen(), FormScreen(isBusy: true), FormScreen(), FormScreen()]
        #expect(screen.rendered.map(\.content) == contents.map { .signIn($0) })
        #expect(screen.rendered.map(\.error) == [nil, nil, error, nil])
        send(service.rider.password)
        let session = try await world.signIn.passes()
        try await eventually { store.state.session?.id == session.id }
        #expect(
            actions.values == [
                .onboarding(.sendingForm), .onboarding(.failed(error)), .finishedPresentingError,
                .onboarding(.sendingForm), .onboarding(.signedIn(SessionState(session))),
            ])
        // The form is out of scope, and a later one is not rendered by this controller.
        let count = screen.rendered.count
        store.dispatch(.signedIn(.sessionEnded(error)))
        store.dispatch(.onboarding(.goToSignIn))
        #expect(screen.rendered.count == count)
    }

    @Test func `an incomplete form is not sent, and going back is an action`() {
        let controller = makeSignInController(in: screen, on: makeStore(), remoteAPI: world.makeAuthRemoteAPI())
        controller.activate()
        screen.interactionResponder?.signIn(email: " ", password: Secret("secret"))
        #expect(screen.rendered.last?.content == .signIn(FormScreen(problems: [.email: .emailMissing])))
        screen.interactionResponder?.returnToWelcome()
        #expect(actions.values.last == .onboarding(.returnedToWelcome) && world.signIn.asked.isEmpty)
    }

    @Test func `the answer to a cancelled use case dispatches nothing`() async throws {
        let store = makeStore()
        weak var remoteAPI: (any AuthRemoteAPI)?
        do {
            let made = world.makeAuthRemoteAPI()
            remoteAPI = made
            let controller = makeSignInController(in: screen, on: store, remoteAPI: made)
            controller.activate()
            send(service.rider.password)
            world.signIn.keepsCancelled()
            try await world.signIn.isAsked()
            controller.deactivate()
        }
        try await world.signIn.passes()
        // The use case keeps it until it has dealt with the answer.
        try await eventually { remoteAPI == nil }
        #expect(actions.values == [.onboarding(.sendingForm)])
    }
}
