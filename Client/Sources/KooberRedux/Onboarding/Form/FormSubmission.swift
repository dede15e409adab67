import Foundation
import KooberKit
import PouchEntities

/// Sends one form at a time.
@MainActor
final class FormSubmission {
    private let actionDispatcher: any ActionDispatcher<OnboardingAction>
    private let serialNumbers: SerialNumbers
    private let task = LatestTask()

    init(actionDispatcher: any ActionDispatcher<OnboardingAction>, serialNumbers: SerialNumbers) {
        self.actionDispatcher = actionDispatcher
        self.serialNumbers = serialNumbers
    }

    func refuse(_ message: ErrorMessage) {
        actionDispatcher.dispatch(.form(.incomplete(ErrorToPresent(id: serialNumbers.next(), message: message))))
    }

    func send(_ call: @escaping @Sendable () async throws(ErrorMessage) -> UserSession) {
        let request = serialNumbers.next()
        actionDispatcher.dispatch(.form(.sending(request: request)))
        task.run { [actionDispatcher, serialNumbers] in
            do throws(ErrorMessage) {
                let session = try await call()
                actionDispatcher.dispatch(.signedIn(session, scope: serialNumbers.next(), request: request))
            } catch {
                let error = ErrorToPresent(id: serialNumbers.next(), message: error)
                actionDispatcher.dispatch(.form(.failed(error, request: request)))
            }
        }
    }
}

extension String {
    /// Without blanks around it.
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
