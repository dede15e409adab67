import Foundation
import KooberKit

/// Signs in, and shows the part of the app that is for who is signed in. Does nothing while a form is being answered.
@MainActor
public protocol SignInUseCaseFactory: AnyObject {
    func makeSignInUseCase(email: String, password: Secret) -> any CancelableUseCase
}

final class SignInUseCase: SingleRunUseCase, Cancelable {
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
        authentication.perform(in: run, refusal: refusal) {
            [repository, email, password] () async throws(ErrorMessage) in
            try await repository.signIn(email: email, password: password)
        }
    }

    private var refusal: ErrorMessage? {
        guard email.isEmpty || password.isEmpty else { return nil }
        return ErrorMessage(title: "Sign-in failed", message: "Enter your e-mail address and your password.")
    }
}
