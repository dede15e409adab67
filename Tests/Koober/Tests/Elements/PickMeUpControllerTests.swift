import KooberKit
import KooberScreens
import PouchEntities
import Testing

@testable import KooberElements

/// The controller with the most to do, among fakes.
@MainActor struct PickMeUpControllerTests {
    private let fakes = ControllerFakes()

    private func makeController(_ plan: RidePlan? = nil) -> PickMeUpController {
        PickMeUpController(
            userInterface: fakes.screen(), observer: fakes.observer, sizeObserver: fakes.sizeObserver, useCases: fakes,
            plan: plan)
    }

    private func active(_ plan: RidePlan? = nil) -> PickMeUpController {
        let controller = makeController(plan)
        controller.activate()
        return controller
    }

    @Test func `it renders each event, and starts the use case of each interaction`() {
        let controller = makeController()
        fakes.expect([])
        controller.activate()
        fakes.expect([.observes()])
        controller.received(pickMeUp: PickMeUpState(pickupLocation: Sample.sydney))
        fakes.expect([.observes(.size), .renders(.map())])
        controller.windowDidResize(to: WindowSize(columns: 80, rows: 17))
        fakes.expect([.renders(.map(isLow: true))])
        controller.windowDidResize(to: WindowSize(columns: 80, rows: 18))
        fakes.expect([.renders(.map())])
        controller.chooseDropoffLocation()
        fakes.expect([.starts(.presentPicker(true)), .starts(.search("", choosesMatch: false))])
        controller.received(pickMeUp: .picking([Sample.bondi]))
        // The picker covers the map, for which the size of the window matters.
        fakes.expect([.stopsObserving(.size), .renders(.picking([Sample.bondi]))])
        controller.searchDropoffLocations(query: "bondi")
        fakes.expect([.cancels(.search("", choosesMatch: false)), .starts(.search("bondi", choosesMatch: false))])
        controller.selectDropoffLocation(named: "Nowhere")
        fakes.expect([])
        controller.selectDropoffLocation(named: "Bondi Beach")
        fakes.expect([
            .cancels(.search("bondi", choosesMatch: false)), .starts(.selectDropoff(Sample.bondi, option: nil)),
        ])
        controller.cancelDropoffLocation()
        fakes.expect([.starts(.presentPicker(false))])
        controller.select(rideOption: "wallaby")
        fakes.expect([.starts(.selectOption("wallaby"))])
        controller.requestRide()
        fakes.expect([.starts(.requestRide)])
        controller.finishedPresenting(Sample.error)
        fakes.expect([.starts(.finishedPresenting(Sample.error))])
        controller.searchDropoffLocations(query: "m")
        fakes.expect([.starts(.search("m", choosesMatch: false))])
        controller.received(pickMeUp: PickMeUpState(pickupLocation: Sample.sydney))
        fakes.expect([.observes(.size), .renders(.map())])
        controller.deactivate()
        fakes.expect([
            .stopsObserving(), .cancels(.requestRide), .stopsObserving(.size),
            .cancels(.search("m", choosesMatch: false)), .cancels(.selectDropoff(Sample.bondi, option: nil)),
        ])
    }

    @Test func `its deactivation does not cancel what has ended`() {
        let controller = active(.dropoff(Sample.manly, option: nil))
        controller.requestRide()
        controller.searchDropoffLocations(query: "m")
        fakes.expect([
            .observes(), .starts(.selectDropoff(Sample.manly, option: nil)), .starts(.requestRide),
            .starts(.search("m", choosesMatch: false)),
        ])
        fakes.endUseCases()
        controller.deactivate()
        fakes.expect([.stopsObserving()])
    }

    @Test func `a plan to search opens the picker, and selects the match when the search finds it`() {
        let controller = active(.search("bondi beach", choosesMatch: true))
        fakes.expect([.observes(), .starts(.presentPicker(true)), .starts(.search("bondi beach", choosesMatch: true))])
        var found = PickMeUpState.picking([Sample.bondi])
        found.dropoffPicker?.match = Sample.bondi
        controller.received(pickMeUp: found)
        // It does not show the results first.
        fakes.expect([
            .cancels(.search("bondi beach", choosesMatch: true)), .starts(.selectDropoff(Sample.bondi, option: nil)),
        ])
    }

    @Test func `a plan with a drop-off selects it with its option`() {
        _ = active(.dropoff(Sample.manly, option: "kangaroo"))
        fakes.expect([.observes(), .starts(.selectDropoff(Sample.manly, option: "kangaroo"))])
    }

    @Test func `acknowledging a failed request asks for the options of the trip again`() {
        let controller = active()
        var failed = PickMeUpState(pickupLocation: Sample.sydney)
        failed.dropoffLocation = Sample.bondi
        failed.step = .rideRequestFailed(RideOptions(options: Sample.options), Sample.error.id)
        failed.errors = [Sample.error, Sample.laterError]
        controller.received(pickMeUp: failed)
        fakes.forget()
        controller.finishedPresenting(Sample.laterError)
        fakes.expect([.starts(.finishedPresenting(Sample.laterError))])
        controller.finishedPresenting(Sample.error)
        fakes.expect([.starts(.finishedPresenting(Sample.error)), .starts(.selectDropoff(Sample.bondi, option: nil))])
    }

    @Test func `a later trip replaces the loading of the options of the one before`() {
        let controller = active(.dropoff(Sample.manly, option: nil))
        controller.received(pickMeUp: .picking([Sample.bondi]))
        fakes.forget()
        controller.selectDropoffLocation(named: "Bondi Beach")
        fakes.expect([
            .cancels(.selectDropoff(Sample.manly, option: nil)), .starts(.selectDropoff(Sample.bondi, option: nil)),
        ])
    }

    @Test func `a size that arrives before the first state renders nothing`() {
        active().windowDidResize(to: WindowSize(columns: 80, rows: 10))
        fakes.expect([.observes()])
    }
}

extension ScreenViewState {
    /// - Parameter isLow: whether the window is too low for a map.
    fileprivate static func map(isLow: Bool = false) -> ScreenViewState {
        ScreenViewState(.pickMeUp(PickMeUpScreen(pickupLocation: Sample.sydney, showsMap: !isLow)), LaunchState())
    }

    fileprivate static func picking(_ results: [NamedLocation]) -> ScreenViewState {
        ScreenViewState(
            .pickMeUp(
                PickMeUpScreen(
                    pickupLocation: Sample.sydney,
                    step: .selectDropoffLocation(DropoffPicker(results: results, from: Sample.sydney)))),
            LaunchState())
    }
}

extension PickMeUpState {
    fileprivate static func picking(_ results: [NamedLocation]) -> PickMeUpState {
        var state = PickMeUpState(pickupLocation: Sample.sydney)
        state.dropoffPicker = DropoffPickerState()
        state.dropoffPicker?.results = results
        return state
    }
}
