import KooberKit

@MainActor
final class LaunchingUserInteractions {
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
            await actionDispatcher.dispatch(
                { () async throws(ErrorMessage) in try await userSessionRepository.readUserSession() }, serialNumbers,
                success: { session in
                    .finishedLaunchingApp(
                        session.map { .signedIn($0, scope: serialNumbers.next()) } ?? .notSignedIn)
                },
                failure: { .failed($0) })
            // What was read need not be written again.
            userSessionStatePersister.startPersistingStateChanges(to: userSessionDataStore)
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id))
    }
}
