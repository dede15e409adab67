/// Thrown within a transaction that was overtaken by another: it is run again from its beginning.
public struct TransactionConflict: Error {
    public init() {}
}
