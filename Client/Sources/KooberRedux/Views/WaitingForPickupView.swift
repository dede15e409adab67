import KooberScreens

@MainActor
final class WaitingForPickupView: StateView {
    private let state: LatestState<WaitingForPickupState>
    private let userInteractions: WaitingForPickupUserInteractions

    init(
        state: StatePublisher<WaitingForPickupState>,
        userInteractions: WaitingForPickupUserInteractions
    ) {
        self.state = LatestState(state)
        self.userInteractions = userInteractions
    }

    func appear() {
        guard let ride = state.value?.ride else { return }
        userInteractions.follow(ride)
    }

    func perform(_ intention: Intention) {
        guard let ride = state.value?.ride else { return }
        switch intention {
        case .cancelRide: userInteractions.cancel(ride)
        case .startNewRide: userInteractions.startNewRide()
        default: break
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        guard let state = state.value else { return }
        userInteractions.finishedPresenting(error)
        if state.following == .lost(error) { userInteractions.follow(state.ride) }
    }
}
