import KooberScreens

extension ObjectRegister {
    /// Makes a controller with all that it has.
    @MainActor
    func controller<Screen: ScreenController>(
        _: Screen.Type, in userInterface: Screen.UserInterface, of states: some EventSource<Screen.State>,
        useCases: Screen.UseCaseFactory
    ) -> any Controller {
        let observer = self(EventObserver(states))
        let controller = self(Screen(userInterface: self(userInterface), observer: observer, useCases: useCases))
        observer.deliver(to: controller) { $0.received(newState: $1) }
        return controller
    }
}
