import KooberKit
import KooberScreens
import PouchEntities

/// The state until the stored session is read.
public struct LaunchingState: Codable, Equatable, Sendable {
    public var destination: Destination?
    /// The state in which the app was left. It continues only with its own session.
    public var resuming: SignedInState?
    public var error: ErrorMessage?

    public init(destination: Destination? = nil, resuming: SignedInState? = nil) {
        self.destination = destination
        self.resuming = resuming
    }

    public var effects: Set<LaunchingEffect> { error == nil ? [.readUserSession] : [] }
}

public enum LaunchingAction: Codable, Equatable, Sendable {
    /// With the stored session; nil if there is none.
    case finishedLaunchingApp(SessionState?)
    case failed(ErrorMessage)
}

public enum LaunchingEffect: Codable, Hashable, Sendable {
    case readUserSession
}

extension Reducers {
    static func next(_ state: LaunchingState, _ action: LaunchingAction) -> AppState.Stage {
        var state = state
        switch action {
        case .finishedLaunchingApp(let session?):
            guard var resumed = state.resuming, resumed.session.id == session.id else {
                return .signedIn(SignedInState(session: session, destination: state.destination))
            }
            resumed.session = session
            return .signedIn(resumed)
        case .finishedLaunchingApp(nil):
            return .onboarding(OnboardingState(destination: state.destination))
        case .failed(let error):
            state.error = error
            return .launching(state)
        }
    }
}

// MARK: User interactions

/// The work of the launch. The user can only read its error.
@MainActor
public protocol LaunchingUserInteractions: AnyObject {}

final class ReduxLaunchingUserInteractions: LaunchingUserInteractions {
    private let effects: EffectRunner<LaunchingEffect>

    init(
        state: StatePublisher<LaunchingState>, actionDispatcher: any ActionDispatcher<LaunchingAction>,
        userSessionDataStore: any UserSessionDataStore, userSessionStatePersister: any UserSessionStatePersister
    ) {
        effects = EffectRunner(state.select(\.effects), to: actionDispatcher) { effect, dispatch in
            do throws(ErrorMessage) {
                let session = try await userSessionDataStore.readUserSession()
                dispatch(.finishedLaunchingApp(session.map(SessionState.init)))
            } catch {
                dispatch(.failed(error))
            }
            // Only now, because the session that was read is already stored.
            userSessionStatePersister.startPersistingStateChanges(to: userSessionDataStore)
        }
    }
}

// MARK: View

final class LaunchView: StateView {
    private let userInteractions: any LaunchingUserInteractions

    init(userInteractions: any LaunchingUserInteractions, in display: any Display) {
        self.userInteractions = userInteractions
        super.init(in: display)
        display.show(.launching)
    }
}
