import KooberKit
import Observation
import PouchEntities

/// Sends a form, once at a time, until somebody is signed in.
@MainActor
@Observable
public final class FormSubmission {
    private(set) var form = FormState.idle
    let errorMessages = ErrorMessages()
    private let signedInResponder: any SignedInResponder
    private let sending = LatestWork()

    public init(signedInResponder: any SignedInResponder) {
        self.signedInResponder = signedInResponder
    }

    /// - Parameters:
    ///   - problem: what is wrong with the form; nothing is sent then.
    ///   - action: what the user did.
    /// - Throws: `IllegalTransition` while the form is being sent.
    func send(
        unless problem: ErrorMessage?, by action: String,
        _ call: @escaping @Sendable () async throws(ErrorMessage) -> UserSession
    ) throws(IllegalTransition) {
        guard form.buttonEnabled else { throw IllegalTransition(from: form, by: action) }
        if let problem { return errorMessages.present(problem) }
        form = .busy
        sending.call(call) { [weak self] in self?.finish($0) }
    }

    private func finish(_ userSession: Result<UserSession, ErrorMessage>) {
        switch userSession {
        // Whoever is signed in already stays.
        case .success(let userSession): try? signedInResponder.signedIn(to: userSession)
        case .failure(let errorMessage):
            form = .idle
            errorMessages.present(errorMessage)
        }
    }
}
