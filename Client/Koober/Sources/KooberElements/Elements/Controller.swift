import KooberKit
import KooberScreens

/// The logic of a screen, apart from its views. It holds a user interface, observers, and factories of use cases.
@MainActor
public protocol Controller: AnyObject, Sendable {
    /// Starts observing and rendering. Called once.
    func activate()
    /// Stops observing and rendering, and cancels the running use cases.
    func deactivate()
}

/// The user interface of a controller. It shows states, and passes the user's actions to its responder.
@MainActor
public protocol UserInterface<Responder, ViewState>: AnyObject {
    associatedtype Responder
    associatedtype ViewState

    /// Usually the controller, which requires the least code. A separate object could respond instead, and be tested
    /// without a controller.
    var interactionResponder: Responder? { get set }
    func render(newState: ViewState)
}

/// The state of the view of a screen, in displayable values.
public struct ScreenViewState: Sendable, Equatable {
    public let content: KooberScreen.Content
    /// The shown error; nil without one.
    public let error: ErrorMessage?

    public init(_ content: KooberScreen.Content, _ state: some PresentsErrors) {
        self.content = content
        error = state.errors.first
    }
}

/// A state with errors, which are shown one at a time in the order in which they occurred.
public protocol PresentsErrors: Equatable, Sendable {
    /// The shown error first.
    var errors: [ErrorMessage] { get set }
}

/// The controller of one screen. It renders the states of its observer in its user interface.
///
/// A subclass is the interaction responder of the user interface. It depends only on protocols, so it can be tested
/// with a fake user interface, observer and use cases.
@MainActor
public class ScreenController<Responder, UseCases>: Controller {
    public typealias UserInterface = any KooberElements.UserInterface<Responder, ScreenViewState>

    let userInterface: UserInterface
    let useCases: UseCases
    /// The use cases that end with the screen.
    let running = RunningUseCases()
    private let observer: any Observer

    /// A subclass makes itself the interaction responder of the user interface.
    public required init(userInterface: UserInterface, observer: any Observer, useCases: UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
    }

    /// Returns a controller with an observer that delivers the states of the source to it.
    static func make(
        in userInterface: UserInterface, observing states: some EventSource<ScreenViewState>, useCases: UseCases
    ) -> any Controller {
        let observer = EventObserver(states)
        let controller = Self(userInterface: userInterface, observer: observer, useCases: useCases)
        observer.deliver(to: controller) { $0.received(viewState: $1) }
        return controller
    }

    public func activate() { observer.startObserving() }

    public func deactivate() {
        observer.stopObserving()
        running.cancel()
    }

    public func received(viewState: ScreenViewState) {
        userInterface.render(newState: viewState)
    }
}

/// A controller that shows one other controller at a time.
@MainActor
public class ContainerController: Controller {
    private let observer: any Observer
    private var child: (any Controller)?

    init(observer: any Observer) {
        self.observer = observer
    }

    public func activate() { observer.startObserving() }

    public func deactivate() {
        observer.stopObserving()
        show { nil }
    }

    /// Ends the child before the next one is created.
    final func show(_ makeChild: () -> (any Controller)?) {
        child?.deactivate()
        child = nil
        child = makeChild()
        child?.activate()
    }
}

// MARK: Errors

/// Responds to the user who acknowledges an error. An error can cover any screen.
@MainActor
public protocol ErrorInteractionResponder: AnyObject {
    func finishedPresenting(_ error: ErrorMessage)
}

/// Removes an acknowledged error, so that the next one is shown.
@MainActor
public protocol FinishedPresentingErrorUseCaseFactory: AnyObject {
    func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase
}

struct FinishedPresentingErrorUseCase<State: PresentsErrors>: UseCaseSteps {
    let error: ErrorMessage
    let store: StateStore<State>

    func execute(in run: UseCaseRun<Self>) {
        store.update { $0.errors.removeAll { $0.id == error.id } }
    }
}
