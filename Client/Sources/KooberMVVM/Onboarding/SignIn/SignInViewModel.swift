import Foundation
import KooberKit
import Observation
import PouchEntities

@MainActor
@Observable
public final class SignInViewModel {
    public var email = ""
    public var password = Secret()
    public private(set) var form = FormState.idle
    public let errorMessages = ErrorMessages()
    private let userSessionRepository: any UserSessionRepository
    private let signedInResponder: any SignedInResponder
    private let signingIn = LatestWork()

    public init(userSessionRepository: any UserSessionRepository, signedInResponder: any SignedInResponder) {
        self.userSessionRepository = userSessionRepository
        self.signedInResponder = signedInResponder
    }

    /// - Throws: `IllegalTransition` while the form is being sent.
    public func signIn() throws(IllegalTransition) {
        guard form.buttonEnabled else { throw IllegalTransition(from: form) }
        let (email, password) = (email.trimmingCharacters(in: .whitespacesAndNewlines), password)
        guard !email.isEmpty, !password.isEmpty else { return errorMessages.present(.emptyField) }
        form = .busy
        signingIn.call { [userSessionRepository] () async throws(ErrorMessage) in
            try await userSessionRepository.signIn(email: email, password: password)
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
        ErrorMessage(title: "Sign-in failed", message: "Enter your e-mail address and your password.")
    }
}
