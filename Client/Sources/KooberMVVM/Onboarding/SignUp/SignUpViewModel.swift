import Foundation
import KooberKit
import Observation
import PouchEntities

@MainActor
@Observable
public final class SignUpViewModel {
    public var name = ""
    public var email = ""
    /// May stay empty.
    public var mobileNumber = ""
    public var password = Secret()
    public private(set) var form = FormState.idle
    public let errorMessages = ErrorMessages()
    private let userSessionRepository: any UserSessionRepository
    private let signedInResponder: any SignedInResponder
    private let signingUp = LatestWork()

    public init(userSessionRepository: any UserSessionRepository, signedInResponder: any SignedInResponder) {
        self.userSessionRepository = userSessionRepository
        self.signedInResponder = signedInResponder
    }

    /// - Throws: `IllegalTransition` while the form is being sent.
    public func signUp() throws(IllegalTransition) {
        guard form.buttonEnabled else { throw IllegalTransition(from: form) }
        let account = NewAccount(
            name: name.trimmingCharacters(in: .whitespacesAndNewlines),
            email: email.trimmingCharacters(in: .whitespacesAndNewlines),
            mobileNumber: mobileNumber.trimmingCharacters(in: .whitespacesAndNewlines), password: password)
        guard !account.name.isEmpty, !account.email.isEmpty, !account.password.isEmpty else {
            return errorMessages.present(.emptyField)
        }
        form = .busy
        signingUp.call { [userSessionRepository] () async throws(ErrorMessage) in
            try await userSessionRepository.signUp(newAccount: account)
        } then: { [weak self] in
            self?.finish($0)
        }
    }

    private func finish(_ userSession: Result<UserSession, ErrorMessage>) {
        switch userSession {
        case .success(let userSession): signedInResponder.signedIn(to: userSession)
        case .failure(let errorMessage):
            form = .idle
            errorMessages.present(errorMessage)
        }
    }
}

extension ErrorMessage {
    fileprivate static var emptyField: ErrorMessage {
        ErrorMessage(
            title: "Sign-up failed", message: "Enter your name, your e-mail address and a password.")
    }
}
