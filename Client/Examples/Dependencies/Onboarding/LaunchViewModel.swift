import KooberKit

/// Finds out who is signed in.
@MainActor
public final class LaunchViewModel {
    public let userSessionRepository: any UserSessionRepository
    private let notSignedInResponder: any NotSignedInResponder
    private let signedInResponder: any SignedInResponder

    public init(
        userSessionRepository: any UserSessionRepository, notSignedInResponder: any NotSignedInResponder,
        signedInResponder: any SignedInResponder
    ) {
        self.userSessionRepository = userSessionRepository
        self.notSignedInResponder = notSignedInResponder
        self.signedInResponder = signedInResponder
    }

    public func loadUserSession() async {
        if let session = try? await userSessionRepository.readUserSession() {
            signedInResponder.signedIn(to: session)
        } else {
            notSignedInResponder.notSignedIn()
        }
    }
}
