/// What somebody fills in to sign in or up. What they type is no part of it.
public struct FormState: Equatable, Sendable {
    /// While it is sent, only the answer to that request counts.
    public enum Progress: Equatable, Sendable {
        case idle
        case sending(SerialNumber)
    }

    public internal(set) var progress = Progress.idle
    public internal(set) var errors: [ErrorToPresent] = []
}
