import Foundation
import KooberKit
import PouchEntities

/// Sends one form at a time.
@MainActor
final class FormSubmission {
    private let actionDispatcher: any ActionDispatcher<OnboardingAction>
    private let serialNumbers: SerialNumbers
    private let sending: AsyncAction<OnboardingAction>

    init(actionDispatcher: any ActionDispatcher<OnboardingAction>, serialNumbers: SerialNumbers) {
        self.actionDispatcher = actionDispatcher
        self.serialNumbers = serialNumbers
        sending = AsyncAction(actionDispatcher, serialNumbers)
    }

    func refuse(_ message: ErrorMessage) {
        actionDispatcher.dispatch(.form(.incomplete(ErrorToPresent(id: serialNumbers.next(), message: message))))
    }

    /// Does nothing while the form is being sent.
    func send(_ call: @escaping @MainActor () async throws(ErrorMessage) -> UserSession) {
        sending.begin {
            .form(.sending(request: $0))
        } call: {
            () async throws(ErrorMessage) in
            try await call()
        } success: { [serialNumbers] in
            .signedIn($0, scope: serialNumbers.next(), request: $1)
        } failure: {
            .form(.failed($0, request: $1))
        }
    }
}

extension String {
    /// Without blanks around it.
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
