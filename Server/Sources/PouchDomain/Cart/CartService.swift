import Foundation
import PouchEntities

/// Reads and changes carts. A cart holds no stock.
///
/// A write takes the same number of statements for any number of lines.
public struct CartService: Sendable {
    private let environment: DomainEnvironment
    private let pricing: Pricing

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
        pricing = Pricing(environment)
    }

    /// Reads the cart without writing, even if the owner has none yet.
    public func cart(_ principal: Principal, in repositories: any Repositories) throws -> PricedCart {
        try priced(edit(principal.ownerId, in: repositories), in: repositories)
    }

    /// Adds units of a SKU.
    ///
    /// - Parameter describing: whether to return the whole cart, or only the changed line and the totals.
    /// - Throws: `DomainError.unknownSKU`, `.outOfStock`, `.invalid`, `.cartFull`, `.versionConflict`.
    public func add(
        sku: String, quantity: Int, to principal: Principal, ifMatch: Int? = nil, describing: Bool = true,
        in repositories: any Repositories
    ) throws -> PricedCart {
        try write(principal, ifMatch: ifMatch, describing: describing, in: repositories) { cart in
            let (sum, overflows) = cart.quantity(of: sku).addingReportingOverflow(quantity)
            try cart.set(sku, to: quantity < 1 || overflows ? quantity : sum)
        }
    }

    /// Sets the quantity of a SKU; 0 removes the line.
    ///
    /// - Throws: as `add`.
    public func set(
        sku: String, quantity: Int, of principal: Principal, ifMatch: Int? = nil, describing: Bool = true,
        in repositories: any Repositories
    ) throws -> PricedCart {
        try write(principal, ifMatch: ifMatch, describing: describing, in: repositories) { cart in
            if quantity == 0 { try cart.remove(sku) } else { try cart.set(sku, to: quantity) }
        }
    }

    /// Removes a line; does nothing if there is none.
    ///
    /// - Throws: `DomainError.versionConflict`.
    public func remove(
        sku: String, from principal: Principal, ifMatch: Int? = nil, describing: Bool = true,
        in repositories: any Repositories
    ) throws -> PricedCart {
        try write(principal, ifMatch: ifMatch, describing: describing, in: repositories) { try $0.remove(sku) }
    }

    /// Removes the lines, the discount code and the shipping choice.
    ///
    /// - Throws: `DomainError.versionConflict`.
    public func clear(
        _ principal: Principal, ifMatch: Int? = nil, in repositories: any Repositories
    ) throws -> PricedCart {
        try write(principal, ifMatch: ifMatch, in: repositories) { try $0.clear() }
    }

    /// The delivery methods for the cart's contents to a place, by default to the shop's country.
    public func shippingMethods(
        for principal: Principal, country: String?, postalCode: String?, location: GeoPoint?,
        in repositories: any Repositories
    ) throws -> [ShippingMethod] {
        let discount = try repositories.carts.cart(ownerId: principal.ownerId).flatMap {
            try repositories.discount(of: $0, at: environment.time.now).discount
        }
        return try pricing.shippingMethods(
            for: repositories.carts.lines(ownerId: principal.ownerId, at: environment.time.now), discount: discount,
            country: country, postalCode: postalCode, location: location)
    }

    /// Chooses a delivery method and address; holds nothing.
    ///
    /// - Throws: `DomainError.unknownShippingMethod`, `.locationRequired`, `.invalid`, `.versionConflict`.
    public func setShipping(
        methodId: String, address: Address, of principal: Principal, ifMatch: Int? = nil, describing: Bool = true,
        in repositories: any Repositories
    ) throws -> PricedCart {
        try AccountRules.problems(address, prefix: "address.").check()
        return try write(principal, ifMatch: ifMatch, describing: describing, in: repositories) { cart in
            _ = try pricing.price(cart.lines, discount: nil, methodId: methodId, address: address)
            cart.record.shippingMethodId = methodId
            cart.record.shippingAddress = address
        }
    }

    /// Puts a discount code on the cart; its use is counted at checkout. A code that takes nothing off the current
    /// lines stays for lines that are added later.
    ///
    /// - Throws: `DomainError.discountInvalid`, `.discountExpired`, `.discountExhausted`, `.versionConflict`.
    public func setDiscount(
        code: String, of principal: Principal, ifMatch: Int? = nil, describing: Bool = true,
        in repositories: any Repositories
    ) throws -> PricedCart {
        try write(principal, ifMatch: ifMatch, describing: describing, in: repositories) { cart in
            cart.record.discountCode = try repositories.discount(
                code: code, ownerId: principal.ownerId, at: environment.time.now
            ).code
        }
    }

    /// Removes the discount code; does nothing if there is none.
    public func removeDiscount(
        of principal: Principal, ifMatch: Int? = nil, describing: Bool = true, in repositories: any Repositories
    ) throws -> PricedCart {
        try write(principal, ifMatch: ifMatch, describing: describing, in: repositories) {
            $0.record.discountCode = nil
        }
    }

    // MARK: Checkout and sign-in

    /// The contents of a cart that become an order.
    struct Contents {
        let units: [CartUnits]
        let record: CartRecord
    }

    /// Takes everything out of the cart.
    ///
    /// - Throws: `DomainError.versionConflict`.
    func take(_ principal: Principal, ifMatch: Int?, in repositories: any Repositories) throws -> Contents {
        let old = try record(principal.ownerId, in: repositories)
        guard ifMatch == nil || ifMatch == old.version else { throw DomainError.versionConflict }
        let units = try repositories.carts.removeLines(ownerId: principal.ownerId)
        var record = old
        record.clear()
        try save(&record, in: repositories)
        return Contents(units: units, record: old)
    }

    /// Puts back the lines and choices of an order that failed; keeps what was added or chosen since. Lines that no
    /// longer fit are listed in `changes`.
    func putBack(_ record: OrderRecord, in repositories: any Repositories) throws {
        var cart = try self.record(record.ownerId, in: repositories)
        let leftOut = try repositories.carts.putBack(
            ownerId: record.ownerId,
            record.order.lines.map { CartUnits(sku: $0.sku, quantity: $0.quantity, seenPrice: $0.unitPrice) })
        cart.changes += leftOut.map { .quantity(sku: $0.sku, .removed, from: $0.quantity, to: 0) }
        cart.shippingMethodId = cart.shippingMethodId ?? record.order.shipping?.methodId
        cart.shippingAddress = cart.shippingAddress ?? record.order.shipping?.address
        cart.discountCode = cart.discountCode ?? record.discount?.code
        try save(&cart, in: repositories)
    }

    /// Merges a guest's cart into an account's by the shop's strategy, never above the stock or the largest quantity of
    /// a line, and deletes the guest's cart. Lines that came out differently are listed in `changes`.
    func merge(from guestId: String, into ownerId: String, in repositories: any Repositories) throws {
        let guest = try edit(guestId, describing: false, in: repositories)
        try repositories.carts.delete(ownerId: guestId)
        guard !guest.lines.isEmpty || guest.record.shippingMethodId != nil || guest.record.discountCode != nil
        else { return }
        var cart = try edit(ownerId, describing: false, in: repositories)
        let own = Dictionary(cart.lines.map { ($0.offer.sku, $0.quantity) }, uniquingKeysWith: +)
        let merge = CartMerge(own: own, guest: guest.lines, strategy: environment.shop.cartMerge)
        for (line, quantity) in merge.lines {
            try repositories.carts.setLine(
                ownerId: ownerId, sku: line.offer.sku, quantity: quantity,
                seenPrice: line.seenPrice ?? line.offer.price)
        }
        for sku in merge.removed { try repositories.carts.removeLine(ownerId: ownerId, sku: sku) }
        cart.record.changes = merge.changes
        cart.record.shippingMethodId = cart.record.shippingMethodId ?? guest.record.shippingMethodId
        cart.record.shippingAddress = cart.record.shippingAddress ?? guest.record.shippingAddress
        cart.record.discountCode = cart.record.discountCode ?? guest.record.discountCode
        try cart.save()
    }

    // MARK: Steps

    private func edit(
        _ ownerId: String, describing: Bool = true, in repositories: any Repositories
    ) throws -> CartEdit {
        try CartEdit(ownerId: ownerId, describing: describing, at: environment.time.now, in: repositories)
    }

    /// Applies a change by the owner, which also marks earlier changes as seen.
    private func write(
        _ principal: Principal, ifMatch: Int?, describing: Bool = true, in repositories: any Repositories,
        _ change: (inout CartEdit) throws -> Void
    ) throws -> PricedCart {
        var cart = try edit(principal.ownerId, describing: describing, in: repositories)
        guard ifMatch == nil || ifMatch == cart.record.version else { throw DomainError.versionConflict }
        try cart.acknowledge()
        try change(&cart)
        try cart.save()
        return try priced(cart, in: repositories)
    }

    /// Prices the cart. A delivery method that the shop no longer offers, or that now needs a location, counts as not
    /// chosen.
    private func priced(_ cart: CartEdit, in repositories: any Repositories) throws -> PricedCart {
        let record = cart.record
        let discount = try repositories.discount(of: record, at: environment.time.now).discount
        func price(methodId: String?) throws -> PricedCart {
            let order = try pricing.price(
                cart.lines, discount: discount, methodId: methodId, address: record.shippingAddress)
            return PricedCart(
                record: record, order: order,
                discount: discount.map { CartDiscount(code: $0.code, amount: order.discountAmount) },
                shipping: methodId.flatMap { methodId in
                    record.shippingAddress.map {
                        Shipping(methodId: methodId, address: $0, price: order.shippingPrice)
                    }
                },
                descriptions: cart.descriptions)
        }
        do {
            return try price(methodId: record.shippingMethodId)
        } catch DomainError.unknownShippingMethod, DomainError.locationRequired {
            return try price(methodId: nil)
        }
    }

    private func record(_ ownerId: String, in repositories: any Repositories) throws -> CartRecord {
        try repositories.carts.cart(ownerId: ownerId)
            ?? CartRecord(ownerId: ownerId, version: 0, updatedAt: environment.time.now)
    }

    private func save(_ record: inout CartRecord, in repositories: any Repositories) throws {
        record.version += 1
        record.updatedAt = environment.time.now
        guard try repositories.carts.save(record) else { throw TransactionConflict() }
    }
}
