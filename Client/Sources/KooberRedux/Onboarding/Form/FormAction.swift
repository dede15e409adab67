/// What happens to a form, save that it gets somebody signed in.
public enum FormAction: Equatable, Sendable {
    /// Something is missing, so that nothing was sent.
    case incomplete(ErrorToPresent)
    case sending(request: SerialNumber)
    case failed(ErrorToPresent, request: SerialNumber)
}
