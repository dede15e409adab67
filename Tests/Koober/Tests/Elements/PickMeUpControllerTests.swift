import KooberKit
import KooberScreens
import PouchEntities
import Testing

@testable import KooberElements

extension ControllerCase {
    static let pickMeUp = ControllerCase(
        { PickMeUpController(in: $0, plan: nil) },
        steps: [
            Step(
                act: { $0.received(pickMeUp: PickMeUpState(pickupLocation: Sample.sydney)) },
                effects: [.observes(.size), .renders(PickMeUpController.map())]),
            Step(act: { $0.windowDidResize(to: WindowSize(columns: 80, rows: 17)) }, effects: [.renders(.low)]),
            Step(
                act: { $0.windowDidResize(to: WindowSize(columns: 80, rows: 18)) },
                effects: [.renders(PickMeUpController.map())]),
            Step(
                act: { $0.chooseDropoffLocation() },
                effects: [.starts(.presentPicker(true)), .starts(.search("", choosesMatch: false))]),
            // The picker covers the map, for which the size of the window matters.
            Step(
                act: { $0.received(pickMeUp: .picking([Sample.bondi])) },
                effects: [.stopsObserving(.size), .renders(.picking([Sample.bondi]))]),
            Step(
                act: { $0.searchDropoffLocations(query: "bondi") },
                effects: [.cancels(.search("", choosesMatch: false)), .starts(.search("bondi", choosesMatch: false))]),
            Step(act: { $0.selectDropoffLocation(named: "Nowhere") }, effects: []),
            Step(
                act: { $0.selectDropoffLocation(named: "Bondi Beach") },
                effects: [
                    .cancels(.search("bondi", choosesMatch: false)),
                    .starts(.selectDropoff(Sample.bondi, option: nil)),
                ]),
            Step(act: { $0.cancelDropoffLocation() }, effects: [.starts(.presentPicker(false))]),
            Step(act: { $0.select(rideOption: "wallaby") }, effects: [.starts(.selectOption("wallaby"))]),
            Step(act: { $0.requestRide() }, effects: [.starts(.requestRide)]),
            Step(
                act: { $0.finishedPresenting(Sample.error) },
                effects: [.starts(.finishedPresenting(Sample.error))]),
            Step(act: { $0.searchDropoffLocations(query: "m") }, effects: [.starts(.search("m", choosesMatch: false))]),
            Step(
                act: { $0.received(pickMeUp: PickMeUpState(pickupLocation: Sample.sydney)) },
                effects: [.observes(.size), .renders(PickMeUpController.map())]),
        ],
        deactivation: [
            .stopsObserving(), .cancels(.requestRide), .stopsObserving(.size),
            .cancels(.search("m", choosesMatch: false)), .cancels(.selectDropoff(Sample.bondi, option: nil)),
        ])
}

/// The rules of the pick-me-up controller that no other controller has.
@MainActor struct PickMeUpControllerTests {
    private let fakes = ControllerFakes()

    private func active(_ plan: RidePlan? = nil) -> PickMeUpController {
        let controller = PickMeUpController(in: fakes, plan: plan)
        controller.activate()
        return controller
    }

    @Test func `a plan to search opens the picker, and selects the match when the search finds it`() {
        let controller = active(.search("bondi beach", choosesMatch: true))
        #expect(
            fakes.takeEvents() == [
                .observes(), .starts(.presentPicker(true)), .starts(.search("bondi beach", choosesMatch: true)),
            ])
        var found = PickMeUpState.picking([Sample.bondi])
        found.dropoffPicker?.match = Sample.bondi
        controller.received(pickMeUp: found)
        // It does not show the results first.
        #expect(
            fakes.takeEvents() == [
                .cancels(.search("bondi beach", choosesMatch: true)),
                .starts(.selectDropoff(Sample.bondi, option: nil)),
            ])
    }

    @Test func `a plan with a drop-off selects it with its option`() {
        _ = active(.dropoff(Sample.manly, option: "kangaroo"))
        #expect(fakes.takeEvents() == [.observes(), .starts(.selectDropoff(Sample.manly, option: "kangaroo"))])
    }

    @Test func `acknowledging a failed request asks for the options of the trip again`() {
        let controller = active()
        var failed = PickMeUpState(pickupLocation: Sample.sydney)
        failed.dropoffLocation = Sample.bondi
        failed.step = .rideRequestFailed(RideOptions(options: Sample.options), Sample.error.id)
        failed.errors = [Sample.error, Sample.laterError]
        controller.received(pickMeUp: failed)
        _ = fakes.takeEvents()
        controller.finishedPresenting(Sample.laterError)
        #expect(fakes.takeEvents() == [.starts(.finishedPresenting(Sample.laterError))])
        controller.finishedPresenting(Sample.error)
        #expect(
            fakes.takeEvents() == [
                .starts(.finishedPresenting(Sample.error)),
                .starts(.selectDropoff(Sample.bondi, option: nil)),
            ])
    }

    @Test func `a later trip replaces the loading of the options of the one before`() {
        let controller = active(.dropoff(Sample.manly, option: nil))
        controller.received(pickMeUp: .picking([Sample.bondi]))
        _ = fakes.takeEvents()
        controller.selectDropoffLocation(named: "Bondi Beach")
        #expect(
            fakes.takeEvents() == [
                .cancels(.selectDropoff(Sample.manly, option: nil)),
                .starts(.selectDropoff(Sample.bondi, option: nil)),
            ])
    }

    @Test func `a size that arrives before the first state renders nothing`() {
        active().windowDidResize(to: WindowSize(columns: 80, rows: 10))
        #expect(fakes.takeEvents() == [.observes()])
    }
}

extension PickMeUpController {
    fileprivate convenience init(in fakes: ControllerFakes, plan: RidePlan?) {
        self.init(
            userInterface: fakes.screen(), observer: fakes.observer, sizeObserver: fakes.sizeObserver,
            useCases: fakes.useCases, plan: plan)
    }

    fileprivate nonisolated static func map() -> ScreenViewState {
        ScreenViewState(.pickMeUp(PickMeUpScreen(pickupLocation: Sample.sydney)), LaunchState())
    }
}

extension ScreenViewState {
    /// The map in a window that is too low for it.
    fileprivate static let low = ScreenViewState(
        .pickMeUp(PickMeUpScreen(pickupLocation: Sample.sydney, showsMap: false)), LaunchState())

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
