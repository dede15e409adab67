import KooberKit

@MainActor
public final class SignUpViewModel {
    public let userSessionRepository: any UserSessionRepository
    private let signedInResponder: any SignedInResponder

    public init(userSessionRepository: any UserSessionRepository, signedInResponder: any SignedInResponder) {
        self.userSessionRepository = userSessionRepository
        self.signedInResponder = signedInResponder
    }

    public func signUp(_ newAccount: NewAccount) async throws(ErrorMessage) {
        signedInResponder.signedIn(to: try await userSessionRepository.signUp(newAccount: newAccount))
    }
}
