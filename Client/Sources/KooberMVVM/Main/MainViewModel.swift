import KooberKit
import Observation
import PouchEntities

/// Whether the app launches, asks who its user is, or knows.
@MainActor
@Observable
public final class MainViewModel: SignedInResponder, NotSignedInResponder {
    public private(set) var view = MainView.launching
    public let errorMessages = ErrorMessages()

    public init() {}

    public func signedIn(to userSession: UserSession) throws(IllegalTransition) {
        if case .signedIn = view { throw IllegalTransition(from: "signed in") }
        view = .signedIn(userSession)
    }

    /// Of a session that ends in two ways at once, only the first is told.
    public func notSignedIn(_ errorMessage: ErrorMessage?) {
        guard view != .onboarding else { return }
        view = .onboarding
        if let errorMessage { errorMessages.present(errorMessage) }
    }
}
