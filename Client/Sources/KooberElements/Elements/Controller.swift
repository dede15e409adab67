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

/// A controller that renders the states of its observer in its user interface.
protocol ScreenController: Controller {
    associatedtype UserInterface
    associatedtype UseCaseFactories
    associatedtype State

    /// Makes itself the interaction responder of the user interface.
    init(userInterface: UserInterface, observer: any Observer, useCases: UseCaseFactories)
    func received(newState: State)
}

extension ScreenController {
    /// Returns a controller with an observer that delivers the states of the source to it.
    static func make(
        in userInterface: UserInterface, observing states: some EventSource<State>, useCases: UseCaseFactories
    ) -> any Controller {
        let observer = EventObserver(states)
        let controller = Self(userInterface: userInterface, observer: observer, useCases: useCases)
        observer.deliver(to: controller) { $0.received(newState: $1) }
        return controller
    }
}
