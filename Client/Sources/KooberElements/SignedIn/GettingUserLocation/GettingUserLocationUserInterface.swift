import KooberKit

/// What is seen until it is known where the user is.
@MainActor
public protocol GettingUserLocationUserInterface: AnyObject {
    func render(newState: GettingUserLocationViewState)
}

public struct GettingUserLocationViewState: Sendable, Equatable {
    public let error: ErrorMessage?

    init(_ state: SignedInState) {
        error = state.errors.first
    }
}
