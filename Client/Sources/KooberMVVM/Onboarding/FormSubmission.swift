import KooberKit
import KooberScreens
import Observation
import PouchEntities

/// Sends a form, one try at a time, until the user is signed in.
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
    ///   - problem: an error in the form, which is presented instead of sending.
    ///   - action: the call of the user, for the error.
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
        // A session that started in between stays.
        case .success(let userSession): try? signedInResponder.signedIn(to: userSession)
        case .failure(let errorMessage):
            form = .idle
            errorMessages.present(errorMessage)
        }
    }
}

/// The enabled parts of a form.
public struct FormState: Hashable, Sendable {
    public let inputsEnabled: Bool
    public let buttonEnabled: Bool
    public let activityIndicatorAnimating: Bool

    static let idle = FormState(inputsEnabled: true, buttonEnabled: true, activityIndicatorAnimating: false)
    static let busy = FormState(inputsEnabled: false, buttonEnabled: false, activityIndicatorAnimating: true)
}

extension FormScreen {
    init(_ form: FormState) {
        self.init(
            inputsEnabled: form.inputsEnabled, buttonEnabled: form.buttonEnabled,
            isBusy: form.activityIndicatorAnimating)
    }
}
