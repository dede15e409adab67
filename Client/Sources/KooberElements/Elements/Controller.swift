/// The logic of a screen, apart from its views. It holds a user interface, observers, and factories of use cases.
@MainActor
public protocol Controller: AnyObject, Sendable {
    /// Starts observing and rendering. Called once.
    func activate()
    /// Stops observing and rendering, and cancels the running use cases.
    func deactivate()
}

/// The user interface of a controller. It shows states, and passes what the user does to its responder.
@MainActor
public protocol ScreenUserInterface<Responder, ViewState>: AnyObject {
    associatedtype Responder
    associatedtype ViewState

    var interactionResponder: Responder? { get set }
    func render(newState: ViewState)
}

/// The controller of one screen. It renders the states of its observer in its user interface.
///
/// A subclass is the interaction responder of the user interface. It depends on protocols only, so that it can be
/// tested with a fake user interface, observer and use cases.
@MainActor
public class ScreenController<Responder, ViewState, UseCases>: Controller {
    public typealias UserInterface = any ScreenUserInterface<Responder, ViewState>

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
        in userInterface: UserInterface, observing states: some EventSource<ViewState>, useCases: UseCases
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

    public func received(viewState: ViewState) {
        userInterface.render(newState: viewState)
    }
}
