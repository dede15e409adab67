/// A controller that renders the states that an observer brings, in a user interface of its own.
protocol ScreenController: Controller {
    associatedtype UserInterface
    associatedtype UseCaseFactory
    associatedtype State

    /// From then on the user interface tells it what is wanted there.
    init(userInterface: UserInterface, observer: any Observer, useCases: UseCaseFactory)
    func received(newState: State)
}
