import KooberKit

/// A state with errors, which are shown one at a time in the order in which they occurred.
public protocol PresentsErrors: Equatable, Sendable {
    /// The shown error first.
    var errors: [ErrorMessage] { get set }
}

/// The state of a view in which only the error changes.
struct ErrorViewState: Sendable, Equatable {
    /// The shown error; nil without one.
    let error: ErrorMessage?

    init(_ state: some PresentsErrors) {
        error = state.errors.first
    }
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

struct FinishedPresentingErrorUseCase<State: PresentsErrors>: UseCaseSteps {
    let error: ErrorMessage
    let store: StateStore<State>

    func execute(in run: UseCaseRun<Self>) {
        store.update { $0.errors.removeAll { $0.id == error.id } }
    }
}
