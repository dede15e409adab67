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
        try await perform(Contract.fulfilOrder, .administration(.fulfil(id: id)))
    }

    public func deliverOrder(id: String) async throws(DataError) -> Order {
        try await perform(Contract.deliverOrder, .administration(.deliver(id: id)))
    }

    /// - Parameter idempotencyKey: the same for every try of the same refund.
    public func refundOrder(
        id: String, _ draft: RefundDraft, idempotencyKey: String
    ) async throws(DataError) -> Refund {
        let body =
            switch draft.part {
            case .rest: RefundOrderRequest(reason: draft.reason)
            case .amount(let amount): RefundOrderRequest(amount: amount, reason: draft.reason)
            case .lines(let lines):
                RefundOrderRequest(
                    lines: lines.map { LineRequest(sku: $0.sku, quantity: $0.quantity) }, reason: draft.reason)
            }
        return try await perform(
            Contract.refundOrder, sending: body, CallOptions(idempotencyKey: idempotencyKey)
        ) { .administration(.refund(id: id, body: $0)) }
    }
}
