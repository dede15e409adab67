import PouchEntities

/// Who looks at the screen.
public enum Visitor: Sendable, Hashable {
    /// Nobody has signed in, and nothing that needs a session was asked for yet.
    case nobody
    case guest
    case customer(Profile)
}
