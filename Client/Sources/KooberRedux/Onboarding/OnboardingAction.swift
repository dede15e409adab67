import PouchEntities

/// What happens while nobody is signed in.
public enum OnboardingAction: Equatable, Sendable {
    case goToSignIn
    case goToSignUp
    /// By the means of the system, which has already done so.
    case returnedToWelcome
    /// Of the form that is shown.
    case form(FormAction)
    case signedIn(UserSession, scope: SerialNumber, request: SerialNumber)
    case finishedPresenting(ErrorToPresent.ID)
}
