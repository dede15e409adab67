import PouchEntities

/// How outcomes of a checkout are told to whoever asked, in bytes, so that they can be kept and given again.
public protocol OrderAnswers: Sendable {
    func placed(_ order: OrderRecord) throws -> StoredAnswer
    func cancelled(_ order: OrderRecord) throws -> StoredAnswer
    func refunded(_ refund: RefundRecord, isPending: Bool) throws -> StoredAnswer
    func declined(code: String) throws -> StoredAnswer
}
