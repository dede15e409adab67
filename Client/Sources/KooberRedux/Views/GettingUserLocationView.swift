import KooberScreens

@MainActor
final class GettingUserLocationView: StateView {
    private let state: LatestState<GettingUserLocationState>
    private let userInteractions: GettingUserLocationUserInteractions

    init(
        state: StatePublisher<GettingUserLocationState>,
        userInteractions: GettingUserLocationUserInteractions
    ) {
        self.state = LatestState(state)
        self.userInteractions = userInteractions
    }

    func appear() {
        userInteractions.begin()
    }

    func perform(_ intention: Intention) {}

    func finishedPresenting(_ error: ErrorToPresent) {
        guard state.value?.progress == .failed(error) else { return }
        userInteractions.finishedPresenting(error)
    }
}
