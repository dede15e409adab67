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

    /// Orders and pays at once; the cart is left alone. For the parameters, and for another try, see `checkout`.
    public func buyNow(
        _ draft: OrderDraft, paymentMethod: PaymentMethod, expectedTotal: Money, email: String?
    ) async throws(DataError) -> Order {
        let body = BuyNowRequest(
            lines: draft.lines.map(LineRequest.init), address: draft.address.map(AddressInput.init),
            methodId: draft.methodId, discount: draft.discount, paymentMethod: paymentMethod,
            expectedTotal: expectedTotal, email: email)
        return await remembered(try await once(Contract.buyNow, .buyNow, sending: body))
    }

    /// The latest first. What was read is kept.
    public func orders(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Order> {
        let owner = try await knownOwner()
        let page = try await page(Contract.orders, .orders(.list(limit: limit, cursor: cursor)))
        await remember(page.items, of: owner)
        return page
    }

    /// What was read is kept.
    public func order(id: String) async throws(DataError) -> Order {
        let owner = try await knownOwner()
        let order = try await perform(Contract.order, .orders(.order(id: id)))
        await remember([order], of: owner)
        return order
    }

    /// Before fulfilment: refunds in full and puts the stock back.
    public func cancelOrder(id: String) async throws(DataError) -> Order {
        await remembered(try await once(Contract.cancelOrder, .cancelOrder, id))
    }

    /// Chooses another way of delivery for an order that offers some (`deliveryFailure`).
    ///
    /// - Parameter methodId: one of those.
    public func changeDelivery(of id: String, to methodId: String) async throws(DataError) -> Order {
        let order = try await perform(Contract.changeDelivery, sending: DeliveryRequest(methodId: methodId)) {
            .orders(.changeDelivery(id: id, body: $0))
        }
        return await remembered(order)
    }

    /// One page of the orders that were seen before, the latest first, without a request. The cursors are not the server's.
    public func storedOrders(
        of owner: String, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<Order> {
        try await stored { () throws(StoreError) in try await store.orders(of: owner, limit: limit, cursor: cursor) }
    }

    /// The order as it was seen last, without a request.
    public func storedOrder(id: String, of owner: String) async throws(DataError) -> Order? {
        try await stored { () throws(StoreError) in try await store.order(id: id, of: owner) }
    }

    func remembered(_ order: Order) async -> Order {
        await remember([order], of: try? await knownOwner())
        return order
    }

    /// Keeps orders unless somebody else has signed in meanwhile. What was read is good also where it cannot be kept.
    private func remember(_ orders: [Order], of owner: String?) async {
        guard let owner, (try? await knownOwner()) == owner else { return }
        try? await store.save(orders, of: owner)
    }
}

extension LineRequest {
    fileprivate init(_ line: OrderDraft.Line) {
        self.init(sku: line.sku, quantity: line.quantity)
    }
}
