import PouchData
import PouchEntities

/// Turns a cart, or lines of one's own, into an order that is paid.
///
/// A purchase that ended without a clear outcome (the connection broke, the answer was lost) may simply be tried
/// again: as long as nothing about it has changed, it bears the same idempotency key, and is done at most once. The error
/// has it as its `openPurchase`, and `unresolved` lists it, after a crash too where the store outlives the process.
public actor CheckoutManager {
    private let data: DataManager
    private let account: AccountManager
    private let cart: CartManager
    private let made = Observers<Order>(limit: 20)

    public init(data: DataManager, account: AccountManager, cart: CartManager) {
        self.data = data
        self.account = account
        self.cart = cart
    }

    /// Each purchase that is made from now on, in whatever way, as its order stands then.
    public nonisolated func purchases() -> AsyncStream<Order> { made.join(first: { [] }).elements }

    /// The ways in which the cart can be delivered to a place; without one, to the shop's own country.
    public func shippingMethods(
        country: String? = nil, postalCode: String? = nil, location: GeoPoint? = nil
    ) async throws(DataError) -> [ShippingMethod] {
        try await account.sessionOrGuest()
        return try await data.shippingMethods(country: country, postalCode: postalCode, location: location).items
    }

    /// Orders the cart and pays its total.
    ///
    /// The cart is the one that the buyer saw: when it comes to another total now, `.priceChanged` is thrown and nothing is
    /// charged. A guest has to give an e-mail address.
    ///
    /// - Returns: the order; while its status is `.pending` the payment is still being settled.
    /// - Throws: among others `.paymentDeclined` and `.outOfStock`, after which nothing was charged. Where the error's
    ///   `leavesOutcomeOpen` says that this is not known, it may be tried again.
    public func pay(
        for shown: Cart, with payment: PaymentMethod, email: String? = nil
    ) async throws(DataError) -> Order {
        try await account.sessionOrGuest()
        try await cart.sendPending()
        let order = try await data.checkout(
            shown, paymentMethod: payment, expectedTotal: shown.totals.total, email: email)
        await cart.forget()
        made.tell { order }
        return order
    }

    /// What an order would come to; nothing is held.
    public func preview(_ draft: OrderDraft) async throws(DataError) -> OrderPreview {
        try await account.sessionOrGuest()
        return try await data.previewOrder(draft)
    }

    /// Orders and pays at once; the cart is left alone.
    ///
    /// The total is what the buyer saw, as `preview` gave it: with another one now, `.priceChanged` is thrown and nothing is
    /// charged. A guest has to give an e-mail address.
    ///
    /// - Returns: the order; while its status is `.pending` the payment is still being settled.
    public func buy(
        _ draft: OrderDraft, for total: Money, with payment: PaymentMethod, email: String? = nil
    ) async throws(DataError) -> Order {
        try await account.sessionOrGuest()
        let order = try await data.buyNow(draft, paymentMethod: payment, expectedTotal: total, email: email)
        made.tell { order }
        return order
    }

    // MARK: Purchases without a clear outcome

    /// The purchases of whoever is signed in, also of an earlier process, of which it is not known whether they were made,
    /// the oldest first. One that cannot be tried again is told here once.
    public func unresolved() async throws(DataError) -> [UnresolvedPurchase] {
        try await account.restore()
        guard let owner = account.session?.owner else { return [] }
        return try await data.unresolvedPurchases(of: owner)
    }

    /// Sends a purchase again, with the same key and content: the order, where it was made before; else it is made now.
    ///
    /// - Throws: `.outcomeUnknown` for one that is too old for that, and what kept it from being made; as long as the outcome
    ///   is not known, it stays unresolved.
    public func resume(_ purchase: UnresolvedPurchase) async throws(DataError) -> Order {
        let order = try await data.resume(purchase)
        if purchase.isOfCart { await cart.forget() }
        made.tell { order }
        return order
    }

    /// Forgets a purchase; whether it was made, the orders show.
    public func giveUp(_ purchase: UnresolvedPurchase) async throws(DataError) {
        try await data.giveUp(purchase)
    }
}
