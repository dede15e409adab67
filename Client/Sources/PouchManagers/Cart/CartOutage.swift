/// What becomes of an edit to the cart that cannot reach the server.
public enum CartOutage: Sendable {
    /// It fails, and whether it was done is not known; looking at the cart tells.
    case fail
    /// It is shown at once as not confirmed, kept in the store, and sent when the server is back.
    case queue(until: ConnectionManager)
}
