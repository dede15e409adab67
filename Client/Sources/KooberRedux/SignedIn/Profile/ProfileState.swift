/// Lies over each step, and stays when that one changes.
public enum ProfileState: Equatable, Sendable {
    case closed
    case shown
    case signingOut(SerialNumber)
}
