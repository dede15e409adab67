/// What is done with the profile; the end of a sign-out is the end of the session.
public enum ProfileAction: Equatable, Sendable {
    case show
    case close
    case signingOut(request: SerialNumber)
}
