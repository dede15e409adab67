import Foundation
import PouchContract
import PouchEntities
import PouchWire
import Testing

extension Caller {
    // MARK: The cart

    func cart() async throws -> Cart { try await call(Contract.cart).good() }

    @discardableResult
    func add(_ sku: String, _ quantity: Int = 1, headers: [String: String] = [:]) async throws -> Answered<Cart> {
        try await call(Contract.addCartLine, LineRequest(sku: sku, quantity: quantity), headers: headers)
    }

    @discardableResult
    func set(_ sku: String, to quantity: Int, headers: [String: String] = [:]) async throws -> Answered<Cart> {
        try await call(
            Contract.setCartLine, QuantityRequest(quantity: quantity), path: ["sku": sku], headers: headers)
    }

    @discardableResult
    func ship(_ method: String = "standard", to address: Address = .sample) async throws -> Answered<Cart> {
        try await call(Contract.setCartShipping, ShippingRequest(methodId: method, address: AddressInput(address)))
    }

    @discardableResult
    func discount(_ code: String, headers: [String: String] = [:]) async throws -> Answered<Cart> {
        try await call(Contract.setCartDiscount, DiscountRequest(code: code), headers: headers)
    }

    // MARK: Buying

    static func key() -> String { UUID().uuidString }

    /// Pays for the cart, expecting its total as it is now.
    func checkout(
        _ card: String = "tok_ok", total: Int64? = nil, email: String? = "guest@example.com",
        key: String? = Caller.key(),
        headers: [String: String] = [:]
    ) async throws -> Answered<Order> {
        let expected =
            if let total { Money(total, .eur) } else { try await cart().totals.total }
        return try await call(
            Contract.checkout,
            CheckoutRequest(paymentMethod: .card(token: card), expectedTotal: expected, email: email),
            headers: headers.merging(key.map { [HeaderName.idempotencyKey: $0] } ?? [:]) { own, _ in own })
    }

    /// Fills the cart, chooses shipping and pays.
    func order(_ sku: String = "cap", _ quantity: Int = 1) async throws -> Order {
        try await add(sku, quantity).good()
        try await ship().good()
        return try await checkout().good()
    }

    /// Buys without the cart. `total` is the sum with 4.90 for standard shipping.
    func buyNow(
        _ sku: String = "cap", _ quantity: Int = 1, card: String = "tok_ok", total: Int64 = 1490,
        email: String? = "guest@example.com", key: String? = Caller.key()
    ) async throws -> Answered<Order> {
        try await buyNow(
            [LineRequest(sku: sku, quantity: quantity)], card: card, total: total, email: email, key: key)
    }

    func buyNow(
        _ lines: [LineRequest], discount: String? = nil, card: String = "tok_ok", total: Int64,
        email: String? = "guest@example.com", key: String? = Caller.key()
    ) async throws -> Answered<Order> {
        try await call(
            Contract.buyNow,
            BuyNowRequest(
                lines: lines, address: AddressInput(.sample), methodId: "standard", discount: discount,
                paymentMethod: .card(token: card), expectedTotal: Money(total, .eur), email: email),
            headers: key.map { [HeaderName.idempotencyKey: $0] } ?? [:])
    }

    func order(id: String) async throws -> Order {
        try await call(Contract.order, path: ["id": id]).good()
    }
}
