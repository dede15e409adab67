import Foundation
import PouchData
import PouchEntities

/// Turns a cart, or lines of one's own, into an order that is paid.
///
/// A purchase that ended without a clear outcome (the connection broke, the answer was lost) may simply be tried
/// again: as long as nothing about it has changed, it bears the same idempotency key, and is done at most once.
public actor CheckoutManager {
    private enum Purchase: Hashable {
        case cart(id: String, version: Int)
        case draft(OrderDraft)
    }

    private struct Attempt: Hashable {
        let purchase: Purchase
        let payment: PaymentMethod
        let total: Money
        let email: String?
    }

    private let data: DataManager
    private let account: AccountManager
    private let cart: CartManager
    private let makeKey: @Sendable () -> String
    private var openKeys: [Attempt: String] = [:]

    public init(
        data: DataManager,
        account: AccountManager,
        cart: CartManager,
        makeKey: @escaping @Sendable () -> String = { UUID().uuidString }
    ) {
        self.data = data
        self.account = account
        self.cart = cart
        self.makeKey = makeKey
    }

    /// The ways in which the cart can be delivered to a place; without one, to the shop's own country.
    public func shippingMethods(
        country: String? = nil, postalCode: String? = nil, location: GeoPoint? = nil
    ) async throws(DataError) -> [ShippingMethod] {
        try await account.sessionOrGuest()
        return try await data.shippingMethods(country: country, postalCode: postalCode, location: location).items
    }

    /// Orders the cart and pays its total.
    ///
    /// - Parameters:
    ///   - shown: the cart that the buyer saw; when it comes to another total now, `.priceChanged` is thrown and
    ///     nothing is charged.
    ///   - email: needed from a guest.
    /// - Returns: the order; while its status is `.pending` the payment is still being settled.
    public func pay(
        for shown: Cart, with payment: PaymentMethod, email: String? = nil
    ) async throws(DataError) -> Order {
        let attempt = Attempt(
            purchase: .cart(id: shown.id, version: shown.version), payment: payment, total: shown.totals.total,
            email: email)
        let order = try await once(attempt) { [data] key throws(DataError) in
            try await data.checkout(
                paymentMethod: payment, expectedTotal: attempt.total, email: email, idempotencyKey: key)
        }
        await cart.forget()
        return order
    }

    /// What an order would come to; nothing is held.
    public func preview(_ draft: OrderDraft) async throws(DataError) -> OrderPreview {
        try await account.sessionOrGuest()
        return try await data.previewOrder(draft)
    }

    /// Orders and pays at once; the cart is left alone.
    ///
    /// - Parameters:
    ///   - total: what the buyer saw, as `preview` gave it; with another one now, `.priceChanged` is thrown and nothing
    ///     is charged.
    ///   - email: needed from a guest.
    /// - Returns: the order; while its status is `.pending` the payment is still being settled.
    public func buy(
        _ draft: OrderDraft, for total: Money, with payment: PaymentMethod, email: String? = nil
    ) async throws(DataError) -> Order {
        let attempt = Attempt(purchase: .draft(draft), payment: payment, total: total, email: email)
        return try await once(attempt) { [data] key throws(DataError) in
            try await data.buyNow(
                draft, paymentMethod: payment, expectedTotal: total, email: email, idempotencyKey: key)
        }
    }

    private func once(
        _ attempt: Attempt, _ purchase: @Sendable (_ key: String) async throws(DataError) -> Order
    ) async throws(DataError) -> Order {
        try await account.sessionOrGuest()
        let key = openKeys[attempt] ?? makeKey()
        openKeys[attempt] = key
        do throws(DataError) {
            let order = try await purchase(key)
            openKeys[attempt] = nil
            return order
        } catch {
            if !error.leavesOutcomeOpen { openKeys[attempt] = nil }
            throw error
        }
    }
}
