import KooberKit
import Observation
import PouchEntities

/// Who is signed in, and the way out.
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

    /// - Throws: `IllegalTransition` while somebody is being signed out.
    public func closeProfile() throws(IllegalTransition) {
        guard !isSigningOut else { throw IllegalTransition(from: "signing out") }
        try closeProfileResponder.closeProfile()
    }

    /// Nobody is signed in afterwards, also where that could not be told to the service.
    /// - Throws: `IllegalTransition` while that is being done.
    public func signOut() throws(IllegalTransition) {
        guard !isSigningOut else { throw IllegalTransition(from: "signing out") }
        isSigningOut = true
        signingOut.call { [userSessionRepository, userSession] () async throws(ErrorMessage) in
            try await userSessionRepository.signOut(userSession: userSession)
        } then: { [weak self] in
            self?.finish($0)
        }
    }

    private func finish(_ signOut: Result<Void, ErrorMessage>) {
        switch signOut {
        case .success: notSignedInResponder.notSignedIn(nil)
        case .failure(let errorMessage): notSignedInResponder.notSignedIn(errorMessage)
        }
    }
}
