import KooberKit
import KooberMVVMCore
import KooberScreens
import Observation
import PouchEntities

/// The signed-in user's profile, with the button that signs out.
@MainActor
@Observable
public final class ProfileViewModel {
    public let profile: Profile?
    public private(set) var isSigningOut = false
    private let userSession: UserSession
    private let userSessionRepository: any UserSessionRepository
    private let notSignedInResponder: any NotSignedInResponder
    private let closed: @MainActor () -> Void
    private let signingOut = LatestTask()

    /// - Parameter closed: called when the user closes the profile.
    public init(
        userSession: UserSession, userSessionRepository: any UserSessionRepository,
        notSignedInResponder: any NotSignedInResponder, closed: @escaping @MainActor () -> Void
    ) {
        profile = userSession.profile
        self.userSession = userSession
        self.userSessionRepository = userSessionRepository
        self.notSignedInResponder = notSignedInResponder
        self.closed = closed
    }

    /// Does nothing while the user is being signed out.
    public func closeProfile() {
        if !isSigningOut { closed() }
    }

    /// Ends the session on this device even if the service cannot be reached. That failure is reported. Does nothing
    /// while the user is being signed out.
    public func signOut() {
        guard !isSigningOut else { return }
        isSigningOut = true
        signingOut.run(for: self) { [userSessionRepository, userSession] current in
            do throws(ErrorMessage) {
                try await userSessionRepository.signOut(userSession)
                current()?.notSignedInResponder.notSignedIn(nil)
            } catch {
                current()?.notSignedInResponder.notSignedIn(error)
            }
        }
    }
}

package final class ProfileViewController: ScreenView {
    private let viewModel: ProfileViewModel

    package init(viewModel: ProfileViewModel, in display: any Display) {
        self.viewModel = viewModel
        super.init(in: display)
        bind({ viewModel.isSigningOut }) {
            display.show(profile: ProfileScreen(viewModel.profile, isSigningOut: $0))
        }
    }

    package override func perform(_ intention: Intention) {
        switch intention {
        case .closeProfile, .goBack: viewModel.closeProfile()
        case .signOut: viewModel.signOut()
        default: break
        }
    }
}
