import KooberKit
import KooberScreens
import PouchEntities

/// The state of the whole app, which determines everything that the app shows and does.
///
/// It can be encoded, without the tokens of the session. `AppState(resuming:)` is a state for a store to start with.
public struct AppState: Codable, Equatable, Sendable {
    public enum Stage: Codable, Equatable, Sendable {
        case launching(LaunchingState)
        case onboarding(OnboardingState)
        case signedIn(SignedInState)
    }

    public var stage: Stage
    /// Whether the service cannot be reached.
    public var isOffline = false

    public init(_ stage: Stage = .launching(LaunchingState())) {
        self.stage = stage
    }

    /// A launch that restores the decoded state, if its session is still stored on this device.
    public init(resuming state: AppState) {
        self = state
        if case .signedIn(let state) = state.stage { stage = .launching(LaunchingState(resuming: state)) }
    }

    /// Also nil during the launch.
    public var session: SessionState? { signedIn?.session }

    /// The oldest error, which the app shows.
    public var errorToPresent: ErrorMessage? {
        switch stage {
        case .launching(let state): state.error
        case .onboarding(let state): state.errors.first
        case .signedIn(let state): state.errors.first
        }
    }

    var launching: LaunchingState? { if case .launching(let state) = stage { state } else { nil } }
    var onboarding: OnboardingState? { if case .onboarding(let state) = stage { state } else { nil } }
    var signedIn: SignedInState? { if case .signedIn(let state) = stage { state } else { nil } }
}

/// An event in the app. No action carries a password, and no action is encoded or described with a session's tokens.
public enum AppAction: Codable, Equatable, Sendable {
    case launching(LaunchingAction)
    case onboarding(OnboardingAction)
    case signedIn(SignedInAction)
    case persistence(PersistenceAction)
    case connectivityChanged(isOffline: Bool)
    /// The user has acknowledged the shown error.
    case finishedPresentingError
}

/// The work that a state waits for.
public enum AppEffect: Codable, Hashable, Sendable {
    case followConnectivity
    case launching(LaunchingEffect)
    case onboarding(OnboardingEffect)
    case signedIn(SignedInEffect)
}

extension AppState {
    public var effects: Set<AppEffect> {
        var effects: Set<AppEffect> = [.followConnectivity]
        switch stage {
        case .launching(let state): effects.formUnion(state.effects.map(AppEffect.launching))
        case .onboarding(let state): effects.formUnion(state.effects.map(AppEffect.onboarding))
        case .signedIn(let state): effects.formUnion(state.allEffects.map(AppEffect.signedIn))
        }
        return effects
    }
}

extension Reducers {
    @Sendable
    public static func app(_ state: inout AppState, _ action: AppAction) {
        switch (state.stage, action) {
        case (.launching(let launching), .launching(let action)) where launching.error == nil:
            state.stage = next(launching, action)
        case (.launching(let launching), .finishedPresentingError) where launching.error != nil:
            state.stage = .onboarding(OnboardingState(destination: launching.destination))
        case (.onboarding(let onboarding), .onboarding(.signedIn(let session))) where onboarding.isSending:
            state.stage = .signedIn(SignedInState(session: session, destination: onboarding.destination))
        case (.onboarding(var onboarding), .onboarding(let action)):
            self.onboarding(&onboarding, action)
            state.stage = .onboarding(onboarding)
        case (.onboarding(var onboarding), .finishedPresentingError) where !onboarding.errors.isEmpty:
            onboarding.errors.removeFirst()
            state.stage = .onboarding(onboarding)
        case (.signedIn, .signedIn(.sessionEnded(let error))):
            state.stage = .onboarding(OnboardingState(errors: [error]))
        case (.signedIn(let signedIn), .signedIn(.signedOut(let error))) where signedIn.profile == .signingOut:
            state.stage = .onboarding(OnboardingState(errors: [error].compactMap { $0 }))
        case (.signedIn(var signedIn), .signedIn(let action)):
            self.signedIn(&signedIn, action)
            state.stage = .signedIn(signedIn)
        case (.signedIn(var signedIn), .finishedPresentingError):
            signedIn.acknowledgeError()
            state.stage = .signedIn(signedIn)
        case (_, .persistence(let action)): persistence(&state, action)
        case (_, .connectivityChanged(let isOffline)): state.isOffline = isOffline
        default: break
        }
    }
}

extension KooberScreen {
    /// The screen of a state, for a state that the views do not render, such as a past one.
    public init(_ state: AppState) {
        let error = state.errorToPresent.map { ErrorNote(title: $0.title, message: $0.message) }
        switch state.stage {
        case .launching: self.init(.launching, error: error, isOffline: state.isOffline)
        case .onboarding(let onboarding):
            self.init(Content(onboarding.screen), error: error, isOffline: state.isOffline)
        case .signedIn(let signedIn):
            self.init(
                Content(signedIn.step), profile: ProfileScreen(signedIn), error: error, isOffline: state.isOffline)
        }
    }
}
