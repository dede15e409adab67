import PouchContract
import PouchEntities
import PouchService

extension DataManager {
    /// Everybody's, the latest first; with a status, those that have it.
    public func allOrders(
        status: OrderStatus? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<Order> {
        let path = Path.Administration.orders(status: status?.rawValue, limit: limit, cursor: cursor)
        return try await page(Contract.allOrders, .administration(path))
    }

    public func fulfilOrder(id: String) async throws(DataError) -> Order {
        try await once(Contract.fulfilOrder, .fulfilOrder, id)
    }

    public func deliverOrder(id: String) async throws(DataError) -> Order {
        try await once(Contract.deliverOrder, .deliverOrder, id)
    }

    /// While the outcome is not known, the same call again is another try of the same refund, also in a later process.
    ///
    /// - Parameter idempotencyKey: one of the caller's own, for a try that is known to be another one.
    public func refundOrder(
        id: String, _ draft: RefundDraft, idempotencyKey: String? = nil
    ) async throws(DataError) -> Refund {
        let body =
            switch draft.part {
            case .rest: RefundOrderRequest(reason: draft.reason)
            case .amount(let amount): RefundOrderRequest(amount: amount, reason: draft.reason)
            case .lines(let lines):
                RefundOrderRequest(
                    lines: lines.map { LineRequest(sku: $0.sku, quantity: $0.quantity) }, reason: draft.reason)
            }
        return try await once(Contract.refundOrder, .refundOrder, id, sending: body, key: idempotencyKey)
    }
}
