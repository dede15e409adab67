import Foundation
import KooberKit

/// Makes an account, and shows the part of the app that is for who is signed in. Does nothing while a form is being
/// answered.
@MainActor
public protocol SignUpUseCaseFactory: AnyObject {
    func makeSignUpUseCase(newAccount: NewAccount) -> any CancelableUseCase
}

final class SignUpUseCase: SingleRunUseCase, Cancelable {
    let run = UseCaseRun()
    private let newAccount: NewAccount
    private let repository: any UserSessionRepository
    private let authentication: Authentication

    init(newAccount: NewAccount, repository: any UserSessionRepository, authentication: Authentication) {
        self.newAccount = NewAccount(
            name: newAccount.name.trimmingCharacters(in: .whitespacesAndNewlines),
            email: newAccount.email.trimmingCharacters(in: .whitespacesAndNewlines),
            mobileNumber: newAccount.mobileNumber.trimmingCharacters(in: .whitespacesAndNewlines),
            password: newAccount.password)
        self.repository = repository
        self.authentication = authentication
    }

    func begin() {
        authentication.perform(in: run, refusal: refusal) { [repository, newAccount] () async throws(ErrorMessage) in
            try await repository.signUp(newAccount: newAccount)
        }
    }

    private var refusal: ErrorMessage? {
        guard newAccount.name.isEmpty || newAccount.email.isEmpty || newAccount.password.isEmpty else { return nil }
        return ErrorMessage(
            title: "Sign-up failed", message: "Enter your name, your e-mail address and a password.")
    }
}
