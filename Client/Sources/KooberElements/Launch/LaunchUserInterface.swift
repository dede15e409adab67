import KooberKit

/// What is seen until it is known who is signed in.
@MainActor
protocol LaunchUserInterface: AnyObject {
    var interactionResponder: (any ErrorInteractionResponder)? { get set }
    func render(newState: LaunchViewState)
}

struct LaunchViewState: Sendable, Equatable {
    let error: ErrorMessage?

    init(_ state: LaunchState) {
        error = state.errors.first
    }
}
