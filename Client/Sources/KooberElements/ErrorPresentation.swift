import KooberKit

/// A state with errors, which are shown one at a time in the order in which they occurred.
public protocol PresentsErrors: Equatable, Sendable {
    /// The shown error first.
    var errors: [ErrorMessage] { get set }
}

/// Responds to the user who acknowledges an error. An error can cover any screen.
@MainActor
public protocol ErrorInteractionResponder: AnyObject {
    func finishedPresenting(_ error: ErrorMessage)
}

/// Removes an acknowledged error, so that the next one is shown.
@MainActor
public protocol FinishedPresentingErrorUseCaseFactory: AnyObject {
    func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase
}

final class FinishedPresentingErrorUseCase<State: PresentsErrors>: SingleRunUseCase {
    let run = UseCaseRun()
    private let error: ErrorMessage
    private let store: StateStore<State>

    init(error: ErrorMessage, store: StateStore<State>) {
        self.error = error
        self.store = store
    }

    func execute() {
        store.update { $0.errors.removeAll { $0.id == error.id } }
    }
}
