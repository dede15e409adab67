import KooberScreens

@MainActor
final class LaunchView: StateView {
    private let userInteractions: LaunchingUserInteractions

    init(userInteractions: LaunchingUserInteractions) {
        self.userInteractions = userInteractions
    }

    func appear() {
        userInteractions.launchApp()
    }

    func perform(_ intention: Intention) {}

    func finishedPresenting(_ error: ErrorToPresent) {
        userInteractions.finishedPresenting(error)
    }
}
