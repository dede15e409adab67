import KooberKit
import KooberScreens
import Observation
import PouchEntities

/// The signed-in user's profile, with the button that signs out.
@MainActor
@Observable
public final class ProfileViewModel {
    public let name: String
    public let email: String
    /// May be empty.
    public let mobileNumber: String
    public private(set) var isSigningOut = false
    private let userSession: UserSession
    private let userSessionRepository: any UserSessionRepository
    private let notSignedInResponder: any NotSignedInResponder
    private let closeProfileResponder: any CloseProfileResponder
    private let signingOut = LatestWork()

    public init(
        userSession: UserSession,
        userSessionRepository: any UserSessionRepository,
        notSignedInResponder: any NotSignedInResponder,
        closeProfileResponder: any CloseProfileResponder
    ) {
        name = userSession.profile?.name ?? ""
        email = userSession.profile?.email ?? ""
        mobileNumber = userSession.profile?.mobileNumber ?? ""
        self.userSession = userSession
        self.userSessionRepository = userSessionRepository
        self.notSignedInResponder = notSignedInResponder
        self.closeProfileResponder = closeProfileResponder
    }

    /// - Throws: `IllegalTransition` while the user is being signed out.
    public func closeProfile() throws(IllegalTransition) {
        guard !isSigningOut else { throw IllegalTransition(from: "signing out") }
        try closeProfileResponder.closeProfile()
    }

    /// Ends the session on this device even if the service cannot be reached. That failure is reported.
    /// - Throws: `IllegalTransition` while the user is being signed out.
    public func signOut() throws(IllegalTransition) {
        guard !isSigningOut else { throw IllegalTransition(from: "signing out") }
        isSigningOut = true
        signingOut.call { [userSessionRepository, userSession] () async throws(ErrorMessage) in
            try await userSessionRepository.signOut(userSession: userSession)
        } then: { [weak self] in
            guard let self else { return }
            switch $0 {
            case .success: notSignedInResponder.notSignedIn(nil)
            case .failure(let errorMessage): notSignedInResponder.notSignedIn(errorMessage)
            }
        }
    }
}

@MainActor
public protocol CloseProfileResponder: AnyObject {
    func closeProfile() throws(IllegalTransition)
}

final class ProfileViewController: ModelViewController<ProfileViewModel>, ViewController {
    var content: ProfileScreen {
        ProfileScreen(
            name: viewModel.name, email: viewModel.email, mobileNumber: viewModel.mobileNumber,
            isSigningOut: viewModel.isSigningOut)
    }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        switch intention {
        case .closeProfile: try viewModel.closeProfile()
        case .signOut: try viewModel.signOut()
        default: break
        }
    }
}
