import Foundation
import PouchEntities

/// The rules of the cart. Filling it holds no stock.
public struct CartService: Sendable {
    private let environment: DomainEnvironment

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
    }

    /// Reading has no effect, not even where there is no cart yet.
    public func cart(_ principal: Principal, in repositories: any Repositories) throws -> Cart {
        try view(record(principal.ownerId, in: repositories), in: repositories)
    }

    /// Adds units of a SKU.
    ///
    /// - Throws: `DomainError.unknownSKU`, `.outOfStock`, `.invalid`, `.cartFull`, `.versionConflict`.
    public func add(
        sku: String, quantity: Int, to principal: Principal, ifMatch: Int? = nil, in repositories: any Repositories
    ) throws -> Cart {
        try checkQuantity(quantity)
        return try write(principal, ifMatch: ifMatch, in: repositories) { _ in
            let old = try repositories.carts.quantity(ownerId: principal.ownerId, sku: sku)
            try setLine(principal.ownerId, sku: sku, from: old, to: old + quantity, in: repositories)
        }
    }

    /// Sets the units of a SKU; 0 removes the line.
    ///
    /// - Throws: as `add`.
    public func set(
        sku: String, quantity: Int, of principal: Principal, ifMatch: Int? = nil, in repositories: any Repositories
    ) throws -> Cart {
        guard quantity != 0 else { return try remove(sku: sku, from: principal, ifMatch: ifMatch, in: repositories) }
        return try write(principal, ifMatch: ifMatch, in: repositories) { _ in
            let old = try repositories.carts.quantity(ownerId: principal.ownerId, sku: sku)
            try setLine(principal.ownerId, sku: sku, from: old, to: quantity, in: repositories)
        }
    }

    /// Removing what is not there is no error.
    ///
    /// - Throws: `DomainError.versionConflict`.
    public func remove(
        sku: String, from principal: Principal, ifMatch: Int? = nil, in repositories: any Repositories
    ) throws -> Cart {
        try write(principal, ifMatch: ifMatch, in: repositories) { _ in
            try repositories.carts.removeLine(ownerId: principal.ownerId, sku: sku)
        }
    }

    /// Removes the lines and the choice of shipping.
    ///
    /// - Throws: `DomainError.versionConflict`.
    public func clear(_ principal: Principal, ifMatch: Int? = nil, in repositories: any Repositories) throws -> Cart {
        try write(principal, ifMatch: ifMatch, in: repositories) { cart in
            try empty(&cart, in: repositories)
        }
    }

    /// The ways of delivery; each reaches everywhere.
    public var shippingMethods: [ShippingMethod] { environment.shop.shippingMethods }

    /// Chooses how and where to; holds nothing.
    ///
    /// - Throws: `DomainError.unknownShippingMethod`, `.invalid`, `.versionConflict`.
    public func setShipping(
        methodId: String, address: Address, of principal: Principal, ifMatch: Int? = nil,
        in repositories: any Repositories
    ) throws -> Cart {
        _ = try environment.shop.shippingMethod(id: methodId)
        try AccountRules.problems(address, prefix: "address.").check()
        return try write(principal, ifMatch: ifMatch, in: repositories) { cart in
            cart.shippingMethodId = methodId
            cart.shippingAddress = address
        }
    }

    /// No shop has discount codes yet, so no code is valid.
    ///
    /// - Throws: `DomainError.discountInvalid`.
    public func setDiscount(code: String, of principal: Principal, in repositories: any Repositories) throws -> Cart {
        throw DomainError.discountInvalid
    }

    /// Removing what is not there is no error.
    public func removeDiscount(
        of principal: Principal, ifMatch: Int? = nil, in repositories: any Repositories
    ) throws -> Cart {
        try write(principal, ifMatch: ifMatch, in: repositories) { _ in }
    }

    // MARK: For other rules

    /// What of a cart goes into an order.
    struct Contents {
        let lines: [PricedLine]
        let shipping: Shipping?
        let changes: [CartChange]
    }

    /// Takes everything out of the cart, for an order.
    ///
    /// - Throws: `DomainError.versionConflict`.
    func take(_ principal: Principal, ifMatch: Int?, in repositories: any Repositories) throws -> Contents {
        var contents = Contents(lines: [], shipping: nil, changes: [])
        try change(principal.ownerId, ifMatch: ifMatch, in: repositories) { cart in
            let lines = try repositories.carts.lines(ownerId: principal.ownerId)
            contents = Contents(
                lines: lines, shipping: try shipping(of: cart),
                changes: cart.changes + lines.compactMap(\.priceChange))
            try empty(&cart, in: repositories)
        }
        return contents
    }

    /// Puts back what an order that came to nothing had taken; what was added meanwhile stays.
    func putBack(
        _ lines: [OrderLine], shipping: Shipping?, to ownerId: String, in repositories: any Repositories
    ) throws {
        try change(ownerId, ifMatch: nil, in: repositories) { cart in
            for line in lines {
                let old = try repositories.carts.quantity(ownerId: ownerId, sku: line.sku)
                try repositories.carts.setLine(
                    ownerId: ownerId, sku: line.sku,
                    quantity: min(old + line.quantity, ModelLimits.quantity.upperBound), seenPrice: line.unitPrice)
            }
            cart.shippingMethodId = cart.shippingMethodId ?? shipping?.methodId
            cart.shippingAddress = cart.shippingAddress ?? shipping?.address
        }
    }

    /// Joins a guest's cart with an account's: units are added up, never above stock or the most of a line. The
    /// guest's cart is gone afterwards; each line that came out differently stands in `changes`.
    func merge(from guestId: String, into ownerId: String, in repositories: any Repositories) throws {
        let guestLines = try repositories.carts.lines(ownerId: guestId)
        let guestCart = try record(guestId, in: repositories)
        try repositories.carts.delete(ownerId: guestId)
        guard !guestLines.isEmpty || guestCart.shippingMethodId != nil else { return }
        try change(ownerId, ifMatch: nil, in: repositories) { cart in
            let own = Dictionary(
                try repositories.carts.lines(ownerId: ownerId).map { ($0.offer.sku, $0.quantity) },
                uniquingKeysWith: +)
            let merge = CartMerge(own: own, guest: guestLines)
            for (line, quantity) in merge.lines {
                try repositories.carts.setLine(
                    ownerId: ownerId, sku: line.offer.sku, quantity: quantity,
                    seenPrice: line.seenPrice ?? line.offer.price)
            }
            for sku in merge.removed { try repositories.carts.removeLine(ownerId: ownerId, sku: sku) }
            cart.changes = merge.changes
            cart.shippingMethodId = cart.shippingMethodId ?? guestCart.shippingMethodId
            cart.shippingAddress = cart.shippingAddress ?? guestCart.shippingAddress
        }
    }

    // MARK: Steps

    private func record(_ ownerId: String, in repositories: any Repositories) throws -> CartRecord {
        try repositories.carts.cart(ownerId: ownerId)
            ?? CartRecord(ownerId: ownerId, version: 0, updatedAt: environment.time.now)
    }

    /// The owner's own write: what had changed by itself is acknowledged with it.
    private func write(
        _ principal: Principal, ifMatch: Int?, in repositories: any Repositories,
        _ edit: (inout CartRecord) throws -> Void
    ) throws -> Cart {
        let cart = try change(principal.ownerId, ifMatch: ifMatch, in: repositories) { cart in
            cart.changes = []
            try repositories.carts.acknowledgePrices(ownerId: principal.ownerId)
            try edit(&cart)
        }
        return try view(cart, in: repositories)
    }

    @discardableResult
    private func change(
        _ ownerId: String, ifMatch: Int?, in repositories: any Repositories,
        _ edit: (inout CartRecord) throws -> Void
    ) throws -> CartRecord {
        var cart = try record(ownerId, in: repositories)
        guard ifMatch == nil || ifMatch == cart.version else { throw DomainError.versionConflict }
        try edit(&cart)
        cart.version += 1
        cart.updatedAt = environment.time.now
        guard try repositories.carts.save(cart) else { throw DomainError.versionConflict }
        return cart
    }

    private func empty(_ cart: inout CartRecord, in repositories: any Repositories) throws {
        try repositories.carts.removeLines(ownerId: cart.ownerId)
        cart.changes = []
        cart.shippingMethodId = nil
        cart.shippingAddress = nil
    }

    private func setLine(
        _ ownerId: String, sku: String, from old: Int, to quantity: Int, in repositories: any Repositories
    ) throws {
        try checkQuantity(quantity)
        // Compared again, since a database may cut a text at a NUL.
        guard
            let offer = try repositories.catalog.offers(skus: [sku], at: environment.time.now).first(where: {
                $0.sku == sku
            })
        else {
            throw DomainError.unknownSKU(sku)
        }
        // Fewer than before is always possible, also where there is less in stock than that.
        guard quantity <= max(offer.available, old) else {
            throw DomainError.outOfStock([StockShortfall(sku: sku, available: offer.available)])
        }
        if old == 0, try repositories.carts.lineCount(ownerId: ownerId) >= ModelLimits.lines {
            throw DomainError.cartFull
        }
        try repositories.carts.setLine(ownerId: ownerId, sku: sku, quantity: quantity, seenPrice: offer.price)
    }

    private func checkQuantity(_ quantity: Int) throws(DomainError) {
        let range = ModelLimits.quantity
        guard range.contains(quantity) else {
            throw .invalid([
                InvalidField(
                    "quantity", .outOfRange,
                    "The quantity of a line must be from \(range.lowerBound) to \(range.upperBound).")
            ])
        }
    }

    private func shipping(of cart: CartRecord) throws -> Shipping? {
        guard let methodId = cart.shippingMethodId, let address = cart.shippingAddress,
            let method = environment.shop.shippingMethods.first(where: { $0.id == methodId })
        else { return nil }
        return Shipping(methodId: methodId, address: address, price: method.price)
    }

    private func view(_ cart: CartRecord, in repositories: any Repositories) throws -> Cart {
        let lines = try repositories.carts.lines(ownerId: cart.ownerId)
        let shipping = try shipping(of: cart)
        return Cart(
            id: cart.id,
            version: cart.version,
            lines: lines.map(\.cartLine),
            shipping: shipping,
            totals: try Totals(lines: lines, shipping: shipping?.price ?? .zero(environment.shop.currency)),
            changes: cart.changes + lines.compactMap(\.priceChange),
            updatedAt: cart.updatedAt
        )
    }
}
