import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchService

/// An order that is placed without a cart.
public struct OrderDraft: Sendable, Hashable {
    public struct Line: Sendable, Hashable {
        public let sku: String
        /// In `ModelLimits.quantity`.
        public let quantity: Int

        public init(sku: String, quantity: Int) {
            self.sku = sku
            self.quantity = quantity
        }
    }

    public var lines: [Line]
    public var address: Address?
    /// The id of a shipping method.
    public var methodId: String?
    public var discount: String?

    public init(lines: [Line], address: Address? = nil, methodId: String? = nil, discount: String? = nil) {
        self.lines = lines
        self.address = address
        self.methodId = methodId
        self.discount = discount
    }

    fileprivate var lineRequests: [LineRequest] { lines.map { LineRequest(sku: $0.sku, quantity: $0.quantity) } }
}

extension DataManager {
    public func previewOrder(_ draft: OrderDraft) async throws(DataError) -> OrderPreview {
        let body = PreviewRequest(
            lines: draft.lineRequests, address: draft.address.map(AddressInput.init), methodId: draft.methodId,
            discount: draft.discount)
        return try await perform(Contract.previewOrder, sending: body)
    }

    /// Orders and pays without changing the cart. See `checkout` for the parameters and for repeating the call.
    public func buyNow(
        _ draft: OrderDraft, paymentMethod: PaymentMethod, expectedTotal: Money, email: String?, key: String? = nil
    ) async throws(DataError) -> Order {
        let body = BuyNowRequest(
            lines: draft.lineRequests, address: draft.address.map(AddressInput.init), methodId: draft.methodId,
            discount: draft.discount, paymentMethod: paymentMethod, expectedTotal: expectedTotal, email: email)
        return await storing(try await sendOnce(Contract.buyNow, sending: body, key: key))
    }

    /// A page of orders, newest first. They are also stored.
    public func orders(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Order> {
        let owner = try await knownOwner()
        let page = try await page(Contract.orders, query: PageQuery(limit: limit, cursor: cursor))
        await store(page.items, of: owner)
        return page
    }

    /// The order, which is also stored.
    public func order(id: String) async throws(DataError) -> Order {
        let owner = try await knownOwner()
        let order = try await perform(Contract.order, id)
        await store([order], of: owner)
        return order
    }

    /// The order in its current state, and again after each change. Each state is also stored.
    ///
    /// - Parameters:
    ///   - lastEventId: the version of the order to continue after; empty to start with the current state.
    ///   - owner: the only owner that requests may be sent for; nil for the owner of the current session.
    public func orderEvents(of id: String, after lastEventId: String = "", owner: String? = nil) -> LiveEvents<Order> {
        LiveEvents(
            endpoint: Contract.orderEvents.endpoint, names: ["order"],
            events: service?.events(Contract.orderEvents.call(id), lastEventId: lastEventId, owner: owner), data: self,
            note: { _ = await self.storing($0) })
    }

    /// Cancels an order before it is shipped, refunds it in full and restores its stock.
    public func cancelOrder(id: String) async throws(DataError) -> Order {
        await storing(try await sendOnce(Contract.cancelOrder, id))
    }

    /// Changes the shipping method of an order that offers others (`deliveryFailure`).
    ///
    /// - Parameter methodId: one of the offered methods.
    public func changeDelivery(of id: String, to methodId: String) async throws(DataError) -> Order {
        let order = try await perform(Contract.changeDelivery, id, sending: DeliveryRequest(methodId: methodId))
        return await storing(order)
    }

    /// The order behind a link in an e-mail, without a session. It is not stored.
    ///
    /// - Parameter link: the whole link, or the text after its `#`.
    public func order(link: String) async throws(DataError) -> Order {
        let token = link.trimmingCharacters(in: .whitespaces).split(separator: "#").last.map(String.init) ?? ""
        return try await perform(Contract.orderByLink, sending: OrderLinkRequest(token: token))
    }

    // MARK: Stored orders

    /// A page of stored orders, newest first, without a request. Its cursors are not the server's.
    public func storedOrders(
        of owner: String, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<Order> {
        try await mappingStoreErrors(await store.orders(of: owner, limit: limit, cursor: cursor))
    }

    /// The order as last received, without a request.
    public func storedOrder(id: String, of owner: String) async throws(DataError) -> Order? {
        try await mappingStoreErrors(await store.order(id: id, of: owner))
    }

    func storing(_ order: Order) async -> Order {
        await store([order], of: try? await knownOwner())
        return order
    }

    /// Stores orders unless another account has signed in during the request. A failure is ignored, because the orders
    /// were read.
    private func store(_ orders: [Order], of owner: String?) async {
        guard let owner, (try? await knownOwner()) == owner else { return }
        try? await store.save(orders, of: owner)
    }
}

/// A purchase with an unknown outcome.
public struct UnresolvedPurchase: Sendable, Hashable, Identifiable {
    let write: PendingWrite
    /// The amount to charge; nil if it is no longer known.
    public let total: Money?
    /// Whether the server still knows the purchase by its key, so that another attempt cannot buy twice.
    public let canResume: Bool

    public var id: String { write.key }
    /// Whether it buys the cart, rather than its own lines.
    public var isOfCart: Bool { write.kind == .checkout }
    public var startedAt: Date { write.firstSentAt ?? write.createdAt }

    /// A purchase for previews and tests. No manager knows it.
    ///
    /// - Parameters:
    ///   - id: the idempotency key.
    ///   - isOfCart: whether it buys the cart.
    public init(id: String, total: Money?, isOfCart: Bool, startedAt: Date, canResume: Bool = true) {
        write = PendingWrite(
            key: id, owner: UserSession.signedOutOwner, kind: isOfCart ? .checkout : .buyNow, createdAt: startedAt,
            firstSentAt: startedAt)
        self.total = total
        self.canResume = canResume
    }

    init(_ write: PendingWrite, canResume: Bool) {
        self.write = write
        total = write.body.flatMap { try? Body(json: $0) }?.expectedTotal
        self.canResume = canResume
    }

    private struct Body: JSONModel {
        let expectedTotal: Money

        static let json = JSONObject(Body.init, .field("expectedTotal", \.expectedTotal))
    }
}

extension DataManager {
    /// The owner's unresolved purchases, oldest first. A purchase that can no longer be resumed is returned once and
    /// then removed.
    public func unresolvedPurchases(of owner: String) async throws(DataError) -> [UnresolvedPurchase] {
        let now = now()
        let purchases = try await mappingStoreErrors(await store.pendingWrites(of: owner))
            .filter { PendingWrite.Kind.purchases.contains($0.kind) }
            .map { UnresolvedPurchase($0, canResume: $0.mayBeSent(at: now)) }
        for purchase in purchases where !purchase.canResume { try await discard(purchase) }
        return purchases
    }

    /// The error of a purchase that was not sent, together with an earlier purchase of the same cart or key. The
    /// earlier one may have gone through and, with a caller's key, may come from a process without a store.
    ///
    /// - Parameter cart: nil for a purchase without the cart.
    package func withEarlierPurchase(_ error: DataError, of cart: Cart?, key: String?) async -> DataError {
        guard error.endedBeforeSending else { return error }
        var stored: [PendingWrite] = []
        if let owner = try? await knownOwner() { stored = (try? await store.pendingWrites(of: owner)) ?? [] }
        let earlier = stored.last { write in
            guard PendingWrite.Kind.purchases.contains(write.kind) else { return false }
            return write.key == key || cart.map { $0.subject == write.subject } ?? false
        }
        guard earlier != nil || key != nil else { return error }
        var error = error.afterEarlierCall
        error.openPurchase = earlier.map { UnresolvedPurchase($0, canResume: $0.mayBeSent(at: now())) }
        return error
    }

    /// Sends the same bytes with the same key.
    public func resume(_ purchase: UnresolvedPurchase) async throws(DataError) -> Order {
        await storing(try await sendAgain(Order.self, purchase.write))
    }

    /// Removes the purchase, which is not sent again. It may have gone through.
    public func discard(_ purchase: UnresolvedPurchase) async throws(DataError) {
        try await removePendingWrite(purchase.write)
    }
}
