import KooberKit
import KooberScreens
import Testing

@testable import KooberElements

/// A controller of each kind among fakes: no store, no service, no view, no real observer. The scenarios drive all of
/// them; `PickMeUpControllerTests` is about the one with the most to do.
@MainActor struct ControllerTests {
    private let fakes = ControllerFakes()

    @Test func `a controller of others ends one before it makes the next`() {
        let controller = OnboardingController(observer: fakes.observer, children: fakes)
        fakes.expect([])
        controller.activate()
        fakes.expect([.observes()])
        controller.received(newScreen: .welcome)
        fakes.expect([.makes(.welcome), .activates(.welcome)])
        controller.received(newScreen: .signIn)
        fakes.expect([.deactivates(.welcome), .makes(.signIn), .activates(.signIn)])
        controller.deactivate()
        fakes.expect([.stopsObserving(), .deactivates(.signIn)])
    }

    @Test func `the location is looked for from the activation to the deactivation, and again after an error`() {
        let controller = GettingUserLocationController(
            userInterface: fakes.screen(), observer: fakes.observer, useCases: fakes)
        fakes.expect([])
        controller.activate()
        fakes.expect([.observes(), .starts(.findRideOrLocation)])
        controller.finishedPresenting(Sample.error)
        // Two searches would race.
        fakes.expect([
            .starts(.finishedPresenting(Sample.error)), .cancels(.findRideOrLocation), .starts(.findRideOrLocation),
        ])
        controller.deactivate()
        fakes.expect([.stopsObserving(), .cancels(.findRideOrLocation)])
    }

    @Test func `an observer that its container makes delivers states to it`() {
        let states = Broadcaster<ScreenViewState>()
        let controller = GettingUserLocationController.make(in: fakes.screen(), observing: states, useCases: fakes)
        let locating = ScreenViewState(.gettingUserLocation, LaunchState())
        states.broadcast(locating)
        controller.activate()
        states.broadcast(locating)
        controller.deactivate()
        states.broadcast(locating)
        fakes.expect([.starts(.findRideOrLocation), .renders(locating), .cancels(.findRideOrLocation)])
    }
}
