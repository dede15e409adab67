/// A controller that renders the states of an observer in a user interface of its own.
protocol ScreenController: Controller {
    associatedtype UserInterface
    associatedtype UseCaseFactory
    associatedtype State

    /// Makes itself the interaction responder of the user interface.
    init(userInterface: UserInterface, observer: any Observer, useCases: UseCaseFactory)
    func received(newState: State)
}

extension ScreenController {
    /// Returns a controller that receives the states of a source through an observer of its own.
    static func make(
        in userInterface: UserInterface, observing states: some EventSource<State>, useCases: UseCaseFactory
    ) -> any Controller {
        let observer = EventObserver(states)
        let controller = Self(userInterface: userInterface, observer: observer, useCases: useCases)
        observer.deliver(to: controller) { $0.received(newState: $1) }
        return controller
    }
}
