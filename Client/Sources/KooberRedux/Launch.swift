import KooberKit
import KooberScreens
import PouchEntities

/// The state until the stored session is read.
public enum LaunchingState: Equatable, Sendable {
    case readingUserSession
    case failed(ErrorToPresent)

    var errorsToPresent: [ErrorToPresent] {
        switch self {
        case .readingUserSession: []
        case .failed(let error): [error]
        }
    }
}

public enum LaunchingAction: Equatable, Sendable {
    case finishedLaunchingApp(AuthenticationState)
    case failed(ErrorToPresent)
    case finishedPresenting(ErrorToPresent.ID)
}

/// The result of reading the stored session.
public enum AuthenticationState: Equatable, Sendable {
    case notSignedIn
    case signedIn(UserSession, scope: SerialNumber)
}

extension Reducers {
    static func launching(_ state: LaunchingState, _ action: LaunchingAction) -> AppState {
        switch (state, action) {
        case (.readingUserSession, .finishedLaunchingApp(.notSignedIn)):
            .onboarding(OnboardingState())
        case (.readingUserSession, .finishedLaunchingApp(.signedIn(let session, let scope))):
            .signedIn(SignedInState(scope: scope, userSession: session))
        case (.readingUserSession, .failed(let error)):
            .launching(.failed(error))
        case (.failed(let error), .finishedPresenting(let id)) where error.id == id:
            .onboarding(OnboardingState())
        default:
            .launching(state)
        }
    }
}

// MARK: User interactions

@MainActor
struct LaunchingUserInteractions {
    let actionDispatcher: any ActionDispatcher<LaunchingAction>
    let userSessionRepository: any UserSessionRepository
    let userSessionDataStore: any UserSessionDataStore
    let userSessionStatePersister: any UserSessionStatePersister
    private let launch = LatestTask()

    func launchApp() {
        launch.run { [actionDispatcher, userSessionRepository, userSessionDataStore, userSessionStatePersister] in
            do throws(ErrorMessage) {
                let session = try await userSessionRepository.readUserSession()
                let found = session.map {
                    AuthenticationState.signedIn($0, scope: actionDispatcher.nextSerialNumber())
                }
                actionDispatcher.dispatch(.finishedLaunchingApp(found ?? .notSignedIn))
            } catch {
                actionDispatcher.dispatch(.failed(actionDispatcher.numbered(error)))
            }
            // Only now, because the session that was read is stored already.
            userSessionStatePersister.startPersistingStateChanges(to: userSessionDataStore)
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id))
    }
}

// MARK: View

final class LaunchView: StateView {
    private let userInteractions: LaunchingUserInteractions

    init(userInteractions: LaunchingUserInteractions) {
        self.userInteractions = userInteractions
    }

    func appear() {
        userInteractions.launchApp()
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        userInteractions.finishedPresenting(error)
    }
}
