public enum ProfileState: Equatable, Sendable {
    case closed
    case shown
    case signingOut(SerialNumber)
}
