import KooberKit

@MainActor
protocol LaunchingUserInteractions: AnyObject {
    func launchApp()
    func finishedPresenting(_ error: ErrorToPresent)
}

@MainActor
final class ReduxLaunchingUserInteractions: LaunchingUserInteractions {
    private let actionDispatcher: any ActionDispatcher<LaunchingAction>
    private let userSessionRepository: any UserSessionRepository
    private let userSessionDataStore: any UserSessionDataStore
    private let userSessionStatePersister: any UserSessionStatePersister
    private let serialNumbers: SerialNumbers
    private let launch = LatestTask()

    init(
        actionDispatcher: any ActionDispatcher<LaunchingAction>,
        userSessionRepository: any UserSessionRepository,
        userSessionDataStore: any UserSessionDataStore,
        userSessionStatePersister: any UserSessionStatePersister,
        serialNumbers: SerialNumbers
    ) {
        self.actionDispatcher = actionDispatcher
        self.userSessionRepository = userSessionRepository
        self.userSessionDataStore = userSessionDataStore
        self.userSessionStatePersister = userSessionStatePersister
        self.serialNumbers = serialNumbers
    }

    func launchApp() {
        launch.run {
            [
                actionDispatcher, userSessionRepository, userSessionDataStore, userSessionStatePersister, serialNumbers
            ] in
            do throws(ErrorMessage) {
                let session = try await userSessionRepository.readUserSession()
                let state = session.map { AuthenticationState.signedIn($0, scope: serialNumbers.next()) }
                actionDispatcher.dispatch(.finishedLaunchingApp(state ?? .notSignedIn))
            } catch {
                actionDispatcher.dispatch(.failed(ErrorToPresent(id: serialNumbers.next(), message: error)))
            }
            // What was read need not be written again.
            userSessionStatePersister.startPersistingStateChanges(to: userSessionDataStore)
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id))
    }
}
