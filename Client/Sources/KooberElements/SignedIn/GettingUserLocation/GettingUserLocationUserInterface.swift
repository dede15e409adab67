import KooberKit

/// What is seen until it is known where the user is.
@MainActor
protocol GettingUserLocationUserInterface: AnyObject {
    var interactionResponder: (any ErrorInteractionResponder)? { get set }
    func render(newState: GettingUserLocationViewState)
}

struct GettingUserLocationViewState: Sendable, Equatable {
    let error: ErrorMessage?

    init(_ state: SignedInState) {
        error = state.errors.first
    }
}
