import KooberKit

/// A form that a user fills in and sends, of which a responder of its own is told.
@MainActor
public protocol FormUserInterface<Responder>: AnyObject {
    associatedtype Responder
    var interactionResponder: Responder? { get set }
    func render(newState: FormViewState)
}

/// A form, filled in or sent.
public struct FormViewState: Sendable, Equatable {
    public let inputsEnabled: Bool
    public let buttonEnabled: Bool
    public let activityIndicatorAnimating: Bool
    public let error: ErrorMessage?

    public init(_ state: OnboardingState) {
        inputsEnabled = !state.isAuthenticating
        // With empty fields too: what is missing is said to who presses it.
        buttonEnabled = !state.isAuthenticating
        activityIndicatorAnimating = state.isAuthenticating
        error = state.errors.first
    }
}
