/// Who may call an endpoint.
public enum Access: Sendable, CaseIterable {
    /// No token is needed; one that is sent is ignored unless the endpoint says what it does with it.
    case anyone
    /// A guest, a customer or an administrator.
    case guestOrCustomer
    /// Somebody with an account; a guest gets 403 `forbidden`.
    case customer
    /// An administrator; anyone else gets 403 `forbidden`.
    case admin
}
