import ServerTesting
import Testing

extension Caller {
    // MARK: Cart

    func cart() async throws -> Cart { try await call(Contract.cart).good() }

    @discardableResult
    func add(_ sku: String, _ quantity: Int = 1, headers: [String: String] = [:]) async throws -> Answered<Cart> {
        try await call(Contract.addCartLine, LineRequest(sku: sku, quantity: quantity), headers: headers)
    }

    @discardableResult
    func set(_ sku: String, to quantity: Int, headers: [String: String] = [:]) async throws -> Answered<Cart> {
        try await call(Contract.setCartLine, QuantityRequest(quantity: quantity), path: ["sku": sku], headers: headers)
    }

    @discardableResult
    func ship(_ method: String = "standard", to address: Address = .sample) async throws -> Answered<Cart> {
        try await call(Contract.setCartShipping, ShippingRequest(methodId: method, address: AddressInput(address)))
    }

    @discardableResult
    func discount(_ code: String, headers: [String: String] = [:]) async throws -> Answered<Cart> {
        try await call(Contract.setCartDiscount, DiscountRequest(code: code), headers: headers)
    }

    // MARK: Purchases

    func preview(
        _ lines: [LineRequest], to address: Address? = nil, by method: String? = nil, discount: String? = nil
    ) async throws -> Answered<OrderPreview> {
        try await call(
            Contract.previewOrder,
            PreviewRequest(
                lines: lines, address: address.map { AddressInput($0) }, methodId: method, discount: discount))
    }

    static func key() -> String { UUID().uuidString }

    /// Pays for the cart. Without `total` the caller expects the cart's current total.
    func checkout(
        _ card: String = "tok_ok", total: Int64? = nil, email: String? = "guest@example.com",
        key: String? = Caller.key(), headers: [String: String] = [:]
    ) async throws -> Answered<Order> {
        let expected =
            if let total { Money(total, .eur) } else { try await cart().totals.total }
        return try await call(
            Contract.checkout,
            CheckoutRequest(paymentMethod: .card(token: card), expectedTotal: expected, email: email),
            headers: .key(key).merging(headers) { $1 })
    }

    /// Fills the cart, and chooses shipping.
    func fillCart(_ sku: String = "cap", _ quantity: Int = 1) async throws {
        try await add(sku, quantity).good()
        try await ship().good()
    }

    /// Fills the cart, chooses shipping and pays.
    func order(_ sku: String = "cap", _ quantity: Int = 1) async throws -> Order {
        try await fillCart(sku, quantity)
        return try await checkout().good()
    }

    /// Buys without the cart. `total` includes 4.90 for standard shipping.
    func buyNow(
        _ sku: String = "cap", _ quantity: Int = 1, card: String = "tok_ok", total: Int64 = 1490,
        email: String? = "guest@example.com", key: String? = Caller.key()
    ) async throws -> Answered<Order> {
        try await buyNow([LineRequest(sku: sku, quantity: quantity)], card: card, total: total, email: email, key: key)
    }

    func buyNow(
        _ lines: [LineRequest], to address: Address? = .sample, by method: String? = "standard",
        discount: String? = nil, card: String = "tok_ok", total: Int64, email: String? = "guest@example.com",
        key: String? = Caller.key(), headers: [String: String] = [:]
    ) async throws -> Answered<Order> {
        try await call(
            Contract.buyNow,
            BuyNowRequest(
                lines: lines, address: address.map { AddressInput($0) }, methodId: method, discount: discount,
                paymentMethod: .card(token: card), expectedTotal: Money(total, .eur), email: email),
            headers: .key(key).merging(headers) { $1 })
    }

    func order(id: String) async throws -> Order { try await call(Contract.order, path: ["id": id]).good() }

    // MARK: Administration

    func change(
        _ sku: String, price: Int64? = nil, available: Int? = nil, adjust: Int? = nil
    ) async throws -> Answered<ManagedVariant> {
        try await call(
            Contract.updateVariant,
            VariantPatch(price: price.map { Money($0, .eur) }, available: available, adjust: adjust),
            path: ["sku": sku])
    }

    func addDiscount(_ terms: DiscountTerms, headers: [String: String] = [:]) async throws -> Answered<ManagedDiscount>
    {
        try await call(Contract.addDiscount, terms, headers: headers)
    }

    func changeDiscount(
        _ id: String, ifMatch tag: String? = nil, _ change: (inout DiscountPatch) -> Void
    ) async throws -> Answered<ManagedDiscount> {
        var patch = DiscountPatch.empty
        change(&patch)
        let headers = tag.map { [HeaderName.ifMatch: $0] } ?? [:]
        return try await call(Contract.updateDiscount, patch, path: ["id": id], headers: headers)
    }

    func schedule(
        _ sku: String, price: Int64 = 500, from startsAt: Date, until endsAt: Date
    ) async throws -> Answered<ScheduledPrice> {
        try await call(
            Contract.schedulePrice,
            ScheduledPriceRequest(sku: sku, price: Money(price, .eur), startsAt: startsAt, endsAt: endsAt))
    }

    /// Refunds an amount, or units of lines, or the rest.
    func refund(
        _ id: String, amount: Int64? = nil, lines: [LineRequest]? = nil, reason: String = "Moths",
        key: String? = Caller.key(), headers: [String: String] = [:]
    ) async throws -> Answered<Refund> {
        try await call(
            Contract.refundOrder,
            RefundOrderRequest(amount: amount.map { Money($0, .eur) }, lines: lines, reason: reason),
            path: ["id": id], headers: .key(key).merging(headers) { $1 })
    }

    func cancel(_ id: String, key: String = Caller.key()) async throws -> Answered<Order> {
        try await call(Contract.cancelOrder, path: ["id": id], headers: .key(key))
    }

    func fulfil(_ id: String, headers: [String: String] = [:]) async throws -> Answered<Order> {
        try await call(Contract.fulfilOrder, FulfilRequest(), path: ["id": id], headers: headers)
    }

    func deliver(_ id: String, headers: [String: String] = [:]) async throws -> Answered<Order> {
        try await call(Contract.deliverOrder, path: ["id": id], headers: headers)
    }
}

extension [String: String] {
    static func key(_ key: String?) -> Self { key.map { [HeaderName.idempotencyKey: $0] } ?? [:] }

    static func ifMatch(_ etag: String) -> Self { [HeaderName.ifMatch: etag] }

    /// The header to receive the changed line and the totals of a cart instead of the whole cart.
    static var minimal: Self { [HeaderName.prefer: "return=minimal"] }
}

extension LineRequest {
    /// One unit.
    static let cap = LineRequest(sku: "cap", quantity: 1)
}

extension DiscountTerms {
    /// Ten percent off everything.
    static let ten = DiscountTerms(code: "TEN", kind: .percentage, basisPoints: 1000)
}
