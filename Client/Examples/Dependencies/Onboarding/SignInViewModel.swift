import KooberKit
import PouchEntities

@MainActor
public final class SignInViewModel {
    public let userSessionRepository: any UserSessionRepository
    private let signedInResponder: any SignedInResponder

    public init(userSessionRepository: any UserSessionRepository, signedInResponder: any SignedInResponder) {
        self.userSessionRepository = userSessionRepository
        self.signedInResponder = signedInResponder
    }

    public func signIn(email: String, password: Secret) async throws(ErrorMessage) {
        signedInResponder.signedIn(
            to: try await userSessionRepository.signIn(email: email, password: password))
    }
}
