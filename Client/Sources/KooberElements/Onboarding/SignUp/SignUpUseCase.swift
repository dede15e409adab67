import Foundation
import KooberKit
import PouchEntities

@MainActor
public protocol SignUpUseCaseFactory: AnyObject {
    func makeSignUpUseCase(newAccount: NewAccount) -> any UseCase
}

final class SignUpUseCase: SingleRunUseCase {
    let run = UseCaseRun()
    private let newAccount: NewAccount
    private let repository: any UserSessionRepository
    private let authentication: Authentication

    init(newAccount: NewAccount, repository: any UserSessionRepository, authentication: Authentication) {
        self.newAccount = NewAccount(
            name: newAccount.name.trimmingCharacters(in: .whitespacesAndNewlines),
            email: newAccount.email.trimmingCharacters(in: .whitespacesAndNewlines),
            mobileNumber: newAccount.mobileNumber, password: newAccount.password)
        self.repository = repository
        self.authentication = authentication
    }

    func begin() {
        guard !newAccount.name.isEmpty, !newAccount.email.isEmpty, !newAccount.password.isEmpty else {
            return authentication.refuse(
                ErrorMessage(
                    title: "Sign-up failed", message: "Enter your name, your e-mail address and a password."))
        }
        authentication.perform(in: run) { [repository, newAccount] () async throws(ErrorMessage) in
            try await repository.signUp(newAccount: newAccount)
        }
    }
}
