import KooberScreens
import PouchEntities

/// The profile, which covers the stages and remains open when they change.
public enum ProfileState: Codable, Equatable, Sendable {
    case closed
    case shown
    case signingOut
}

/// The events of the profile. A sign-out ends with an action of the session.
public enum ProfileAction: Codable, Equatable, Sendable {
    case show
    case close
    case signOut
}

extension Reducers {
    static func profile(_ state: inout ProfileState, _ action: ProfileAction) {
        switch (state, action) {
        case (.closed, .show): state = .shown
        case (.shown, .close): state = .closed
        case (.shown, .signOut): state = .signingOut
        default: break
        }
    }
}

// MARK: User interactions

@MainActor
public protocol ProfileUserInteractions: AnyObject {
    func showProfile()
    func closeProfile()
    func signOut()
}

final class ReduxProfileUserInteractions: ProfileUserInteractions {
    private let actionDispatcher: any ActionDispatcher<ProfileAction>

    init(actionDispatcher: any ActionDispatcher<ProfileAction>) {
        self.actionDispatcher = actionDispatcher
    }

    func showProfile() { actionDispatcher.dispatch(.show) }

    func closeProfile() { actionDispatcher.dispatch(.close) }

    func signOut() { actionDispatcher.dispatch(.signOut) }
}

// MARK: View

/// The profile, and the button that opens it.
final class ProfileView: StateView {
    private let userInteractions: any ProfileUserInteractions

    /// - Parameter screen: nil while the profile is closed.
    init(
        screen: StatePublisher<ProfileScreen?>, userInteractions: any ProfileUserInteractions,
        in display: any Display
    ) {
        self.userInteractions = userInteractions
        super.init(in: display)
        render(screen) { display.show(profile: $0) }
    }

    override func perform(_ intention: Intention) {
        switch intention {
        case .showProfile: userInteractions.showProfile()
        case .closeProfile: userInteractions.closeProfile()
        case .signOut: userInteractions.signOut()
        default: break
        }
    }
}

extension ProfileScreen {
    /// nil while the profile is closed.
    init?(_ state: SignedInState) {
        guard state.profile != .closed else { return nil }
        self.init(state.session.profile, isSigningOut: state.profile == .signingOut)
    }
}
