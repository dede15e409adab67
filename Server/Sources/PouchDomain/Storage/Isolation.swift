/// How far transactions that run at once are kept apart. An embedded database runs one at a time, so there both are the
/// same; a database server may run the body again when another transaction was in its way.
public enum Isolation: Sendable {
    /// As though it ran alone: what it read is still so when it commits.
    case serializable
    /// Only rows that it writes are kept from others, so that many can wait for one row without failing. Every statement
    /// that writes must itself say what has to hold.
    case readCommitted
}
