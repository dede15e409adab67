/// The connection broke while a transaction was being committed.
///
/// It has happened whole, or not at all, and only the data can tell which. Whoever asked may look, or ask again where
/// the transaction keeps its effect from happening twice: under the same idempotency key, or with a condition on what
/// was there before.
public struct CommitUnknownError: Error {
    public init() {}
}
