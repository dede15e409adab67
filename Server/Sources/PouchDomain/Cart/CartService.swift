import Foundation
import PouchEntities

/// A change of a cart by its owner.
public enum CartCommand: Sendable {
    case add(sku: String, quantity: Int)
    /// Sets the quantity of a SKU; 0 removes the line.
    case set(sku: String, quantity: Int)
    /// Removes a line; does nothing if there is none.
    case remove(sku: String)
    /// Removes the lines, the discount code and the shipping choice.
    case clear
    /// Chooses a delivery method and address; holds nothing.
    case setShipping(methodId: String, address: Address)
    /// Puts a discount code on the cart; its use is counted at checkout. A code that takes nothing off the current
    /// lines stays for lines that are added later.
    case setDiscount(code: String)
    /// Removes the discount code; does nothing if there is none.
    case removeDiscount
}

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

    /// Applies a change by the owner, which also marks earlier changes as seen.
    ///
    /// - Parameter describing: whether to return the whole cart, or only the changed line and the totals.
    /// - Throws: `DomainError.versionConflict`, `.invalid`, `.unknownSKU`, `.outOfStock`, `.cartFull`,
    ///   `.unknownShippingMethod`, `.locationRequired`, `.discountInvalid`, `.discountExpired`, `.discountExhausted`.
    public func change(
        _ principal: Principal, _ command: CartCommand, ifMatch: Int? = nil, describing: Bool = true,
        in repositories: any Repositories
    ) throws -> PricedCart {
        if case .setShipping(_, let address) = command {
            try AccountRules.problems(address, prefix: "address.").check()
        }
        var cart = try edit(principal.ownerId, describing: describing, in: repositories)
        guard ifMatch == nil || ifMatch == cart.record.version else { throw DomainError.versionConflict }
        try cart.acknowledge()
        switch command {
        case .add(let sku, let quantity):
            let (sum, overflows) = cart.quantity(of: sku).addingReportingOverflow(quantity)
            try cart.set(sku, to: quantity < 1 || overflows ? quantity : sum)
        case .set(let sku, 0), .remove(let sku): try cart.remove(sku)
        case .set(let sku, let quantity): try cart.set(sku, to: quantity)
        case .clear: try cart.clear()
        case .setShipping(let methodId, let address):
            _ = try pricing.price(cart.lines, discount: nil, methodId: methodId, address: address)
            cart.record.shippingMethodId = methodId
            cart.record.shippingAddress = address
        case .setDiscount(let code):
            cart.record.discountCode = try repositories.discount(
                code: code, ownerId: principal.ownerId, at: environment.time.now
            ).code
        case .removeDiscount: cart.record.discountCode = nil
        }
        try cart.save()
        return try priced(cart, in: repositories)
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

    // MARK: Checkout and sign-in

    /// The contents of a cart that become an order.
    struct Contents {
        let units: [CartUnits]
        /// The head of the cart as it was.
        let record: CartRecord
    }

    /// Takes everything out of the cart.
    ///
    /// - Throws: `DomainError.versionConflict`.
    func take(_ principal: Principal, ifMatch: Int?, in repositories: any Repositories) throws -> Contents {
        let old = try repositories.carts.record(ownerId: principal.ownerId, at: environment.time.now)
        guard ifMatch == nil || ifMatch == old.version else { throw DomainError.versionConflict }
        let units = try repositories.carts.removeLines(ownerId: principal.ownerId)
        var record = old
        record.clear()
        try repositories.carts.save(&record, at: environment.time.now)
        return Contents(units: units, record: old)
    }

    /// Puts back the lines and choices of an order that failed; keeps what was added or chosen since. Lines that no
    /// longer fit are listed in `changes`.
    func putBack(_ record: OrderRecord, in repositories: any Repositories) throws {
        var cart = try repositories.carts.record(ownerId: record.ownerId, at: environment.time.now)
        let leftOut = try repositories.carts.putBack(
            ownerId: record.ownerId,
            record.order.lines.map { CartUnits(sku: $0.sku, quantity: $0.quantity, seenPrice: $0.unitPrice) })
        cart.changes += leftOut.map { .quantity(sku: $0.sku, .removed, from: $0.quantity, to: 0) }
        cart.shippingMethodId = cart.shippingMethodId ?? record.order.shipping?.methodId
        cart.shippingAddress = cart.shippingAddress ?? record.order.shipping?.address
        cart.discountCode = cart.discountCode ?? record.discount?.code
        try repositories.carts.save(&cart, at: environment.time.now)
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
}
