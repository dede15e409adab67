/// What kind of principal a session is for.
public enum SessionKind: String, OpenEnum {
    /// Nobody in particular; has a cart and orders of its own.
    case guest
    case customer
    case admin
    case unrecognised
}
