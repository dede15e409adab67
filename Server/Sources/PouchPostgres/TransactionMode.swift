import PouchDomain

/// What a transaction may do, and how far it is kept apart from others.
enum TransactionMode {
    /// Sees one consistent state.
    case read
    case serializable
    case readCommitted

    init(_ isolation: Isolation) {
        switch isolation {
        case .serializable: self = .serializable
        case .readCommitted: self = .readCommitted
        }
    }

    /// Whole, so that no setting of the server or the user counts.
    var sql: String {
        switch self {
        case .read: "ISOLATION LEVEL REPEATABLE READ READ ONLY"
        case .serializable: "ISOLATION LEVEL SERIALIZABLE READ WRITE"
        case .readCommitted: "ISOLATION LEVEL READ COMMITTED READ WRITE"
        }
    }
}
