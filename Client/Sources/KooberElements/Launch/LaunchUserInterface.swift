import KooberKit

/// What is seen until it is known who is signed in.
@MainActor
public protocol LaunchUserInterface: AnyObject {
    func render(newState: LaunchViewState)
}

public struct LaunchViewState: Sendable, Equatable {
    public let error: ErrorMessage?

    init(_ state: LaunchState) {
        error = state.errors.first
    }
}
