import KooberKit

/// Takes the error away, so that the next one is shown.
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

    func begin() {
        store.update { $0.errors.removeAll { $0.id == error.id } }
    }
}
