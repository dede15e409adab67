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
                act: { $0.received(pickMeUp: PickMeUpState(pickupLocation: ElementsSample.sydney)) },
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
                act: { $0.received(pickMeUp: .picking([ElementsSample.bondi])) },
                effects: [.stopsObserving(.size), .renders(.picking([ElementsSample.bondi]))]),
            Step(
                act: { $0.searchDropoffLocations(query: "bondi") },
                effects: [.cancels(.search("", choosesMatch: false)), .starts(.search("bondi", choosesMatch: false))]),
            Step(act: { $0.selectDropoffLocation(named: "Nowhere") }, effects: []),
            Step(
                act: { $0.selectDropoffLocation(named: "Bondi Beach") },
                effects: [
                    .cancels(.search("bondi", choosesMatch: false)),
                    .starts(.selectDropoff(ElementsSample.bondi, option: nil)),
                ]),
            Step(act: { $0.cancelDropoffLocation() }, effects: [.starts(.presentPicker(false))]),
            Step(act: { $0.select(rideOption: "wallaby") }, effects: [.starts(.selectOption("wallaby"))]),
            Step(act: { $0.requestRide() }, effects: [.starts(.requestRide)]),
            Step(
                act: { $0.finishedPresenting(ElementsSample.error) },
                effects: [.starts(.finishedPresenting(ElementsSample.error))]),
            Step(act: { $0.searchDropoffLocations(query: "m") }, effects: [.starts(.search("m", choosesMatch: false))]),
        ],
        deactivation: [
            .stopsObserving(), .cancels(.requestRide), .cancels(.search("m", choosesMatch: false)),
            .cancels(.selectDropoff(ElementsSample.bondi, option: nil)),
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
        var found = PickMeUpState.picking([ElementsSample.bondi])
        found.dropoffPicker?.match = ElementsSample.bondi
        controller.received(pickMeUp: found)
        // It does not show the results first.
        #expect(
            fakes.takeEvents() == [
                .cancels(.search("bondi beach", choosesMatch: true)),
                .starts(.selectDropoff(ElementsSample.bondi, option: nil)),
            ])
    }

    @Test func `a plan with a drop-off selects it with its option`() {
        _ = active(.dropoff(ElementsSample.manly, option: "kangaroo"))
        #expect(fakes.takeEvents() == [.observes(), .starts(.selectDropoff(ElementsSample.manly, option: "kangaroo"))])
    }

    @Test func `acknowledging a failed request asks for the options of the trip again`() {
        let controller = active()
        var failed = PickMeUpState(pickupLocation: ElementsSample.sydney)
        failed.dropoffLocation = ElementsSample.bondi
        failed.step = .rideRequestFailed(RideOptions(options: ElementsSample.options), ElementsSample.error.id)
        failed.errors = [ElementsSample.error, ElementsSample.laterError]
        controller.received(pickMeUp: failed)
        _ = fakes.takeEvents()
        controller.finishedPresenting(ElementsSample.laterError)
        #expect(fakes.takeEvents() == [.starts(.finishedPresenting(ElementsSample.laterError))])
        controller.finishedPresenting(ElementsSample.error)
        #expect(
            fakes.takeEvents() == [
                .starts(.finishedPresenting(ElementsSample.error)),
                .starts(.selectDropoff(ElementsSample.bondi, option: nil)),
            ])
    }

    @Test func `a later trip replaces the loading of the options of the one before`() {
        let controller = active(.dropoff(ElementsSample.manly, option: nil))
        controller.received(pickMeUp: .picking([ElementsSample.bondi]))
        _ = fakes.takeEvents()
        controller.selectDropoffLocation(named: "Bondi Beach")
        #expect(
            fakes.takeEvents() == [
                .cancels(.selectDropoff(ElementsSample.manly, option: nil)),
                .starts(.selectDropoff(ElementsSample.bondi, option: nil)),
            ])
    }

    @Test func `its observers start and stop at different moments`() {
        let controller = active()
        #expect(fakes.takeEvents() == [.observes()])
        controller.received(pickMeUp: PickMeUpState(pickupLocation: ElementsSample.sydney))
        #expect(fakes.takeEvents().contains(.observes(.size)))
        controller.received(pickMeUp: .picking([]))
        #expect(fakes.takeEvents().contains(.stopsObserving(.size)))
        controller.received(pickMeUp: PickMeUpState(pickupLocation: ElementsSample.sydney))
        #expect(fakes.takeEvents().contains(.observes(.size)))
        controller.deactivate()
        #expect(fakes.takeEvents() == [.stopsObserving(), .stopsObserving(.size)])
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
        ScreenViewState(.pickMeUp(PickMeUpScreen(pickupLocation: ElementsSample.sydney)), LaunchState())
    }
}

extension ScreenViewState {
    /// The map in a window that is too low for it.
    fileprivate static let low = ScreenViewState(
        .pickMeUp(PickMeUpScreen(pickupLocation: ElementsSample.sydney, showsMap: false)), LaunchState())

    fileprivate static func picking(_ results: [NamedLocation]) -> ScreenViewState {
        ScreenViewState(
            .pickMeUp(
                PickMeUpScreen(
                    pickupLocation: ElementsSample.sydney,
                    step: .selectDropoffLocation(DropoffPicker(results: results, from: ElementsSample.sydney)))),
            LaunchState())
    }
}

extension PickMeUpState {
    fileprivate static func picking(_ results: [NamedLocation]) -> PickMeUpState {
        var state = PickMeUpState(pickupLocation: ElementsSample.sydney)
        state.dropoffPicker = DropoffPickerState()
        state.dropoffPicker?.results = results
        return state
    }
}
