import Foundation
import PouchEntities
import KooberKit

@MainActor
public protocol SignInUseCaseFactory: AnyObject {
    func makeSignInUseCase(email: String, password: Secret) -> any UseCase
}

final class SignInUseCase: SingleRunUseCase {
    let run = UseCaseRun()
    private let email: String
    private let password: Secret
    private let repository: any UserSessionRepository
    private let authentication: Authentication

    init(
        email: String, password: Secret, repository: any UserSessionRepository, authentication: Authentication
    ) {
        self.email = email.trimmingCharacters(in: .whitespacesAndNewlines)
        self.password = password
        self.repository = repository
        self.authentication = authentication
    }

    func begin() {
        guard !email.isEmpty, !password.isEmpty else {
            return authentication.refuse(
                ErrorMessage(title: "Sign-in failed", message: "Enter your e-mail address and your password."))
        }
        authentication.perform(in: run) { [repository, email, password] () async throws(ErrorMessage) in
            try await repository.signIn(email: email, password: password)
        }
    }
}
