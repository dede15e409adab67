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
    /// Selects a delivery method and address; reserves nothing.
    case setShipping(methodId: String, address: Address)
    /// Adds a discount code to the cart; its use is counted at checkout. A code without an effect on the current lines
    /// stays for lines added later.
    case setDiscount(code: String)
    /// Removes the discount code; does nothing if there is none.
    case removeDiscount
}

/// Reads and changes carts. A cart holds no stock.
///
/// A write takes the same number of statements for any number of lines. A write that answers with a summary reads only
/// the changed line while the sums on the head are valid (`CartSums`); after a catalogue change it adds up all lines
/// once. It also reads all lines if a discount code applies to them, since the lines' shares of a discount depend on
/// each other.
public struct CartService: Sendable {
    private let environment: DomainEnvironment
    private let pricing: Pricing
    private let rules: AddressRules

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
        pricing = Pricing(environment)
        rules = AddressRules(environment.shop)
    }

    /// Reads the cart without writing, even if the owner has none yet.
    public func cart(_ principal: Principal, in repositories: any Repositories) throws -> PricedCart {
        let now = environment.time.now
        let (record, contents) = try repositories.carts.read(ownerId: principal.ownerId, describing: true, at: now)
        return try priced(record, contents, discount: repositories.discount(of: record, at: now).discount)
    }

    /// Applies a change by the owner, which also marks earlier changes as seen.
    ///
    /// - Throws: `DomainError.versionConflict`, `.invalid`, `.unknownSKU`, `.notForSale`, `.outOfStock`, `.cartFull`,
    ///   `.unknownShippingMethod`, `.locationRequired`, `.discountInvalid`, `.discountExpired`, `.discountExhausted`.
    public func change(
        _ principal: Principal, _ command: CartCommand, ifMatch: Int? = nil, in repositories: any Repositories
    ) throws -> PricedCart {
        var cart = try changed(principal, command, ifMatch: ifMatch, describing: true, in: repositories)
        try cart.readLines(describing: true)
        try cart.save()
        let discount = try repositories.discount(of: cart.record, at: environment.time.now).discount
        return try priced(cart.record, cart.contents, discount: discount)
    }

    /// Like `change`, for a client that has the previous cart: returns the changed line and the totals.
    public func changeForSummary(
        _ principal: Principal, _ command: CartCommand, ifMatch: Int? = nil, in repositories: any Repositories
    ) throws -> CartSummary {
        var cart = try changed(principal, command, ifMatch: ifMatch, describing: false, in: repositories)
        let discount = try repositories.discount(of: cart.record, at: environment.time.now).discount
        if let totals = try totals(of: cart.record, discount: discount) {
            try cart.save()
            return CartSummary(cart.record, line: cart.cartLine, totals: totals)
        }
        try cart.readLines(describing: false)
        try cart.save()
        let descriptions = command.sku.flatMap { sku in cart.description.map { [sku: $0] } }
        return try priced(cart.record, cart.contents, descriptions: descriptions, discount: discount)
            .summary(changed: command.sku)
    }

    private func changed(
        _ principal: Principal, _ command: CartCommand, ifMatch: Int?, describing: Bool,
        in repositories: any Repositories
    ) throws -> CartEdit {
        var command = command
        if case .setShipping(let methodId, let address) = command {
            command = .setShipping(methodId: methodId, address: try rules.checked(address, prefix: "address."))
        }
        let now = environment.time.now
        let head = try repositories.carts.head(ownerId: principal.ownerId, sku: command.sku, at: now)
        guard ifMatch == nil || ifMatch == head.record.version else { throw DomainError.versionConflict }
        var cart = CartEdit(head, pricing: pricing, at: now, in: repositories)
        switch command {
        case .add(let sku, let quantity): try cart.add(sku, quantity)
        case .set(let sku, 0), .remove(let sku): try cart.remove(sku)
        case .set(let sku, let quantity): try cart.set(sku, to: quantity)
        case .clear: try cart.clear()
        case .setShipping(let methodId, let address): try cart.choose(methodId, address, describing: describing)
        case .setDiscount(let code):
            cart.choose(
                discountCode: try repositories.discount(code: code, ownerId: principal.ownerId, at: now).code)
        case .removeDiscount: cart.choose(discountCode: nil)
        }
        return cart
    }

    /// The delivery methods for the cart's contents to a destination, by default in the shop's country.
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

    /// Reads the cart with a delivery, and the methods to choose from, without writing.
    ///
    /// - Parameters:
    ///   - address: nil for the stored one.
    ///   - usual: the address if none is stored either; without one, prices are those for the shop's country.
    ///   - methodId: nil for the stored method. A method that is not offered for the address counts as not chosen; the
    ///     first offered method then replaces it.
    public func cartAtCheckout(
        _ principal: Principal, address: Address? = nil, usual: Address? = nil, methodId: String? = nil,
        in repositories: any Repositories
    ) throws -> CartAtCheckout {
        let now = environment.time.now
        var (record, contents) = try repositories.carts.read(ownerId: principal.ownerId, describing: true, at: now)
        let discount = try repositories.discount(of: record, at: now).discount
        record.shippingAddress = address ?? record.shippingAddress ?? usual
        let place = record.shippingAddress
        let methods = try pricing.shippingMethods(
            for: contents.lines, discount: discount, country: place?.country, region: place?.region,
            postalCode: place?.postalCode, location: place?.location)
        let wished = methodId ?? record.shippingMethodId
        let method = methods.first { $0.id == wished } ?? methods.first
        record.shippingMethodId = method?.id
        return CartAtCheckout(
            cart: try priced(record, contents, discount: discount).cart, address: place, methods: methods,
            method: method)
    }

    // MARK: Checkout and sign-in

    /// Takes everything out of the cart, and returns the cart as it was. Lines that are no longer offered are dropped.
    ///
    /// - Throws: `DomainError.versionConflict`.
    func take(
        _ principal: Principal, ifMatch: Int?, at now: Date, in repositories: any Repositories
    ) throws -> (record: CartRecord, contents: CartContents) {
        let cart = try repositories.carts.read(ownerId: principal.ownerId, describing: true, at: now)
        guard ifMatch == nil || ifMatch == cart.record.version else { throw DomainError.versionConflict }
        // A line that another transaction adds after this comes with a later version of the head, which `save` detects.
        try repositories.carts.removeLines(ownerId: principal.ownerId)
        var record = cart.record
        record.clear()
        try repositories.carts.save(&record, at: now)
        return cart
    }

    /// Puts back the lines and choices of a failed order; keeps what was added or chosen since. Lines that no longer
    /// fit are listed in `changes`.
    func putBack(_ record: OrderRecord, in repositories: any Repositories) throws {
        var cart = try repositories.carts.record(ownerId: record.ownerId, at: environment.time.now)
        let leftOut = try repositories.carts.putBack(
            ownerId: record.ownerId,
            record.order.lines.map { CartUnits(sku: $0.sku, quantity: $0.quantity, seenPrice: $0.unitPrice) })
        cart.changes += leftOut.map { .quantity(sku: $0.sku, .removed, from: $0.quantity, to: 0) }
        cart.shippingMethodId = cart.shippingMethodId ?? record.order.shipping?.methodId
        cart.shippingAddress = cart.shippingAddress ?? record.order.shipping?.address
        cart.discountCode = cart.discountCode ?? record.discount?.code
        cart.forgetSums()
        try repositories.carts.save(&cart, at: environment.time.now)
    }

    /// Merges a guest's cart into an account's with the shop's strategy, never above the stock or the maximum quantity
    /// of a line, and deletes the guest's cart. Lines with a different result are listed in `changes`.
    func merge(from guestId: String, into ownerId: String, in repositories: any Repositories) throws {
        let (carts, now) = (repositories.carts, environment.time.now)
        let guest = try carts.record(ownerId: guestId, at: now)
        let contents = try carts.read(ownerId: guestId, describing: false, at: now).contents
        let lines = contents.lines
        try carts.delete(ownerId: guestId)
        guard
            !lines.isEmpty || !contents.notOffered.isEmpty || guest.shippingMethodId != nil || guest.discountCode != nil
        else { return }
        var cart = try carts.record(ownerId: ownerId, at: now)
        let own = Dictionary(
            try carts.lines(ownerId: ownerId, at: now).map { ($0.offer.sku, $0.quantity) }, uniquingKeysWith: +)
        let merge = CartMerge(own: own, guest: lines, strategy: environment.shop.cartMerge)
        try carts.setLines(
            ownerId: ownerId,
            merge.lines.map { line, quantity in
                CartUnits(sku: line.offer.sku, quantity: quantity, seenPrice: line.seenPrice ?? line.offer.price)
            })
        try carts.removeLines(ownerId: ownerId, skus: merge.removed)
        // A line that is not offered is not merged.
        cart.changes = merge.changes + contents.notOffered.map(\.removal)
        cart.shippingMethodId = cart.shippingMethodId ?? guest.shippingMethodId
        cart.shippingAddress = cart.shippingAddress ?? guest.shippingAddress
        cart.discountCode = cart.discountCode ?? guest.discountCode
        cart.forgetSums()
        try carts.save(&cart, at: now)
    }

    // MARK: Steps

    /// Prices the cart.
    private func priced(
        _ record: CartRecord, _ contents: CartContents?, descriptions: [String: OfferDescription]? = nil,
        discount: Discount?
    ) throws -> PricedCart {
        try withOfferedMethod(of: record) { methodId in
            let order = try pricing.price(
                contents?.lines ?? [], discount: discount, methodId: methodId, address: record.shippingAddress)
            return PricedCart(
                record: record, order: order, notOffered: contents?.notOffered ?? [],
                discount: discount.map { CartDiscount(code: $0.code, amount: order.discountAmount) },
                shipping: methodId.flatMap { methodId in
                    record.shippingAddress.map {
                        Shipping(methodId: methodId, address: $0, price: order.shippingPrice)
                    }
                },
                descriptions: descriptions ?? contents?.descriptions ?? [:])
        }
    }

    /// The totals from the sums on the head; nil if the lines must be read.
    private func totals(of record: CartRecord, discount: Discount?) throws -> Totals? {
        guard let sums = record.sums else { return nil }
        return try withOfferedMethod(of: record) {
            try pricing.totals(of: sums, discount: discount, methodId: $0, address: record.shippingAddress)
        }
    }

    /// A delivery method that the shop no longer offers, or that now needs a location, counts as not chosen.
    private func withOfferedMethod<Result>(of record: CartRecord, _ price: (String?) throws -> Result) throws -> Result
    {
        do {
            return try price(record.shippingMethodId)
        } catch DomainError.unknownShippingMethod, DomainError.locationRequired {
            return try price(nil)
        }
    }
}

extension CartCommand {
    /// The SKU of the changed line.
    fileprivate var sku: String? {
        switch self {
        case .add(let sku, _), .set(let sku, _), .remove(let sku): sku
        case .clear, .setShipping, .setDiscount, .removeDiscount: nil
        }
    }
}
