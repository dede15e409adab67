import PouchContract
import PouchEntities
import PouchService

extension DataManager {
    public func previewOrder(_ draft: OrderDraft) async throws(DataError) -> OrderPreview {
        let body = PreviewRequest(
            lines: draft.lines.map(LineRequest.init), address: draft.address.map(AddressInput.init),
            methodId: draft.methodId, discount: draft.discount)
        return try await perform(Contract.previewOrder, sending: body) { .orders(.preview(body: $0)) }
    }

    /// Orders and pays at once; the cart is left alone. For the parameters see `checkout`.
    public func buyNow(
        _ draft: OrderDraft,
        paymentMethod: PaymentMethod,
        expectedTotal: Money,
        email: String?,
        idempotencyKey: String
    ) async throws(DataError) -> Order {
        let body = BuyNowRequest(
            lines: draft.lines.map(LineRequest.init), address: draft.address.map(AddressInput.init),
            methodId: draft.methodId, discount: draft.discount, paymentMethod: paymentMethod,
            expectedTotal: expectedTotal, email: email)
        return try await perform(
            Contract.buyNow, sending: body, CallOptions(idempotencyKey: idempotencyKey)
        ) { .orders(.buyNow(body: $0)) }
    }

    /// The latest first.
    public func orders(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Order> {
        try await page(Contract.orders, .orders(.list(limit: limit, cursor: cursor)))
    }

    public func order(id: String) async throws(DataError) -> Order {
        try await perform(Contract.order, .orders(.order(id: id)))
    }

    /// Before fulfilment: refunds in full and puts the stock back.
    public func cancelOrder(id: String) async throws(DataError) -> Order {
        try await perform(Contract.cancelOrder, .orders(.cancel(id: id)))
    }
}

extension LineRequest {
    fileprivate init(_ line: OrderDraft.Line) {
        self.init(sku: line.sku, quantity: line.quantity)
    }
}
