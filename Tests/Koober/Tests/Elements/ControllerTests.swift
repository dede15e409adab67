import KooberKit
import KooberScreens
import Testing

@testable import KooberElements

/// Every controller among fakes: no store, no service, no view, no real observer.
@MainActor struct ControllerTests {
    private let fakes = ControllerFakes()

    private func active(_ tested: ControllerCase) -> any Controller {
        let controller = tested.make(fakes)
        controller.activate()
        return controller
    }

    @Test(arguments: ControllerCase.all)
    func `it does nothing before its activation`(_ tested: ControllerCase) {
        _ = tested.make(fakes)
        #expect(fakes.takeEvents() == [])
    }

    @Test(arguments: ControllerCase.all)
    func `its activation starts its observer, and what runs as long as it`(_ tested: ControllerCase) {
        _ = active(tested)
        #expect(fakes.takeEvents() == tested.activation)
    }

    @Test(arguments: ControllerCase.all)
    func `it renders each event, and starts the use case of each interaction`(_ tested: ControllerCase) {
        let controller = active(tested)
        _ = fakes.takeEvents()
        for (number, step) in tested.steps.enumerated() {
            step.act(controller)
            #expect(fakes.takeEvents() == step.effects, "step \(number)")
        }
    }

    @Test(arguments: ControllerCase.all)
    func `its deactivation stops its observer, and cancels what runs`(_ tested: ControllerCase) {
        let controller = active(tested)
        for step in tested.steps { step.act(controller) }
        _ = fakes.takeEvents()
        controller.deactivate()
        #expect(fakes.takeEvents() == tested.deactivation)
    }

    @Test(arguments: ControllerCase.all)
    func `it does not cancel what has ended`(_ tested: ControllerCase) {
        let controller = active(tested)
        for step in tested.steps { step.act(controller) }
        fakes.useCases.end()
        _ = fakes.takeEvents()
        controller.deactivate()
        let cancelled = fakes.takeEvents().filter { if case .cancels = $0 { true } else { false } }
        #expect(cancelled == [])
    }

    @Test(arguments: ControllerCase.all)
    func `it ends with its last reference`(_ tested: ControllerCase) {
        weak var controller: (any Controller)?
        do {
            let active = active(tested)
            controller = active
            for step in tested.steps { step.act(active) }
        }
        #expect(controller == nil)
    }

    @Test func `it is the responder of its user interface`() throws {
        let screen: FakeUserInterface<any WelcomeInteractionResponder, ScreenViewState> = fakes.screen()
        let controller = WelcomeController(userInterface: screen, observer: fakes.observer, useCases: fakes.useCases)
        #expect(screen.interactionResponder === controller)
    }

    @Test func `an observer that its container makes delivers states to it`() {
        let states = Broadcaster<ScreenViewState>()
        let screen: FakeUserInterface<any WelcomeInteractionResponder, ScreenViewState> = fakes.screen()
        let controller = WelcomeController.make(in: screen, observing: states, useCases: fakes.useCases)
        let welcome = ScreenViewState(.welcome, LaunchState())
        states.broadcast(welcome)
        controller.activate()
        states.broadcast(welcome)
        controller.deactivate()
        states.broadcast(welcome)
        #expect(fakes.takeEvents() == [.renders(welcome)])
    }

    @Test func `the shown error is the oldest`() {
        let errors = [Sample.error, Sample.laterError]
        #expect(ScreenViewState(.welcome, LaunchState(errors: errors)).error == errors[0])
    }
}
