import PouchData
import PouchEntities

/// Turns the cart, or other lines, into a paid order.
///
/// A purchase with an unknown outcome (the connection was lost before the response) may be repeated: the same purchase
/// has the same idempotency key and happens at most once. The error contains it as `openPurchase`, and `unresolved`
/// lists it, even after a crash if the store outlives the process. A purchase that was never sent, because the server
/// could not be reached, is not listed: it did not happen, and will not be sent later.
///
///     let cart = try await pouch.cart.setShipping(methodId: method.id, to: address)
///     let order = try await pouch.checkout.pay(for: cart, with: .card(token: "tok_ok"), email: email)
public struct CheckoutManager: Sendable {
    private let data: DataManager
    private let account: AccountManager
    private let cart: CartManager
    private let bought = Subscribers<Order>(limit: 20)
    let turns = KeyedMutex<Void>()
    let clock: any Clock<Duration>

    /// - Parameter clock: measures the intervals at which purchases with an unknown outcome are settled.
    public init(
        data: DataManager, account: AccountManager, cart: CartManager, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.clock = clock
        self.data = data
        self.account = account
        self.cart = cart
    }

    /// The order of each purchase after this call, from any method.
    public func purchases() -> AsyncStream<Order> { bought.add() }

    /// The shipping methods for the cart.
    ///
    /// - Parameter country: ISO 3166-1 alpha-2; nil for the shop's own country.
    public func shippingMethods(
        country: String? = nil, postalCode: String? = nil, location: GeoPoint? = nil
    ) async throws(DataError) -> [ShippingMethod] {
        try await account.sessionOrGuest()
        return try await data.shippingMethods(country: country, postalCode: postalCode, location: location).items
    }

    /// Orders the cart and pays its total. While the order's status is `.pending`, the payment is being settled.
    ///
    /// - Parameters:
    ///   - shown: the cart that the buyer saw. If its total has changed, `.priceChanged` is thrown and nothing is
    ///     charged.
    ///   - email: required from a guest.
    ///   - key: the caller's idempotency key: for 24 hours, the same purchase of the same account with the same key
    ///     happens at most once. A program that fills the cart in each run should use `buy` instead: a repeated
    ///     purchase returns the first order, and leaves the lines of this run in the cart. nil for a key of the SDK,
    ///     which only a store on disk keeps for a later process.
    /// - Throws: among others, `.paymentDeclined` and `.outOfStock`, after which nothing was charged, and
    ///   `.unreachable` if nothing was sent. If `mayHaveTakenEffect` of the error is true, the purchase may be
    ///   repeated; with a caller's key, it is always true without a response. `.keyReused` for a key of another
    ///   purchase.
    public func pay(
        for shown: Cart, with payment: PaymentMethod, email: String? = nil, key: String? = nil
    ) async throws(DataError) -> Order {
        let order: Order
        do throws(DataError) {
            try await account.sessionOrGuest()
            try await sendPendingEdits()
            order = try await data.checkout(
                shown, paymentMethod: payment, expectedTotal: shown.totals.total, email: email, key: key)
        } catch {
            throw await data.withEarlierPurchase(error, of: shown, key: key)
        }
        await cart.didBuy()
        bought.send { order }
        return order
    }

    private func sendPendingEdits() async throws(DataError) {
        do throws(DataError) {
            try await cart.sendPending()
        } catch {
            throw error.beforeSending
        }
    }

    /// The lines and totals of an order without the cart. Nothing is reserved.
    public func preview(_ draft: OrderDraft) async throws(DataError) -> OrderPreview {
        try await account.sessionOrGuest()
        return try await data.previewOrder(draft)
    }

    /// Orders and pays for the lines of a draft. The cart does not change. The order and the errors are those of `pay`.
    ///
    /// - Parameters:
    ///   - total: the total that the buyer saw in `preview`. If it has changed, `.priceChanged` is thrown and nothing
    ///     is charged.
    ///   - email: required from a guest.
    ///   - key: the caller's idempotency key, such as `standing-order-2026-11-28`. A program that runs again with it
    ///     repeats its purchase instead of making a second one, as described for `pay`. The key belongs to the account;
    ///     a guest needs a stored session.
    public func buy(
        _ draft: OrderDraft, for total: Money, with payment: PaymentMethod, email: String? = nil, key: String? = nil
    ) async throws(DataError) -> Order {
        let order: Order
        do throws(DataError) {
            try await account.sessionOrGuest()
            order = try await data.buyNow(
                draft, paymentMethod: payment, expectedTotal: total, email: email, key: key)
        } catch {
            throw await data.withEarlierPurchase(error, of: nil, key: key)
        }
        bought.send { order }
        return order
    }

    // MARK: Purchases with an unknown outcome

    /// The session's purchases with an unknown outcome, including those of an earlier process, oldest first. A purchase
    /// that is too old to be resumed is listed once.
    public func unresolved() async throws(DataError) -> [UnresolvedPurchase] {
        try await account.restore()
        guard let owner = account.session?.owner else { return [] }
        return try await data.unresolvedPurchases(of: owner)
    }

    /// Repeats a purchase with the same key and content. Returns the existing order, or places it now.
    ///
    /// - Throws: `.outcomeUnknown` for a purchase that is too old and is removed; otherwise the reason why it failed.
    ///   If `mayHaveTakenEffect` of the error is true, the purchase remains unresolved.
    public func resume(_ purchase: UnresolvedPurchase) async throws(DataError) -> Order {
        let order = try await data.resume(purchase)
        if purchase.isOfCart { await cart.didBuy() }
        bought.send { order }
        return order
    }

    /// Removes a purchase from this device. If it went through, `OrderManager.orders` contains its order.
    public func discard(_ purchase: UnresolvedPurchase) async throws(DataError) {
        try await data.discard(purchase)
    }
}
