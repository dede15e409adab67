public protocol RefundRepository {
    func insert(_ refund: RefundRecord) throws
    /// Refunds of the order, the oldest first, with whether the provider has not made them yet.
    func refunds(orderId: String) throws -> [(refund: RefundRecord, isPending: Bool)]
    /// Refunds that the provider with the ledger has not made yet; the oldest first, from behind the one with the given
    /// id.
    func pending(ledgerId: String, after id: String?, limit: Int) throws -> [RefundRecord]
    /// Notes that the provider has made it.
    ///
    /// - Returns: false when that is noted already.
    func complete(id: String) throws -> Bool
}
