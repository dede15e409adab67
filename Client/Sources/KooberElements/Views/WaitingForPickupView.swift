import KooberScreens

final class WaitingForPickupView: WaitingForPickupUserInterface, View {
    weak var interactionResponder: (any WaitingForPickupInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: WaitingForPickupViewState) {
        window.show(
            .waitingForPickup(WaitingScreen(newState)), error: newState.error, in: self,
            errorResponder: interactionResponder)
    }

    func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .cancelRide: interactionResponder?.cancelRide()
        case .startNewRide: interactionResponder?.startNewRide()
        default: return false
        }
        return true
    }
}

extension WaitingScreen {
    fileprivate init(_ state: WaitingForPickupViewState) {
        self.init(ride: state.ride, isCancelling: state.isCancelling)
    }
}
