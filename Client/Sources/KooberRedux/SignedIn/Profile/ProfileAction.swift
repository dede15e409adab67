public enum ProfileAction: Equatable, Sendable {
    case show
    case close
    case signingOut(request: SerialNumber)
}
