import PouchEntities

/// What an order would come to, without placing it.
public struct Preview: Sendable {
    private let time: any TimeSource
    private let pricing: Pricing

    public init(_ environment: DomainEnvironment) {
        time = environment.time
        pricing = Pricing(environment)
    }

    /// - Throws: `DomainError.invalid`, `.unknownSKU`, `.unknownShippingMethod`, `.locationRequired`, `.discountInvalid`,
    ///   `.discountExpired`, `.discountExhausted`.
    public func preview(
        _ purchase: DirectPurchase, for principal: Principal, in repositories: any Repositories
    ) throws -> OrderPreview {
        let units = try purchase.units()
        if let address = purchase.address {
            try AccountRules.problems(address, prefix: "address.").check()
        }
        let offers = try repositories.offers(skus: units.map(\.sku), at: time.now)
        let lines = try units.map { unit in
            guard let found = offers[unit.sku] else { throw DomainError.unknownSKU(unit.sku) }
            return try PricedLine(offer: found.offer, quantity: unit.quantity)
        }
        let discount = try purchase.discount.map {
            try repositories.discount(code: $0, ownerId: principal.ownerId, at: time.now)
        }
        let priced = try pricing.price(
            lines, discount: discount, methodId: purchase.methodId, address: purchase.address)
        return OrderPreview(
            lines: priced.cartLines(offers.mapValues(\.description)),
            methods: try pricing.shippingMethods(
                for: lines, discount: discount, country: purchase.address?.country,
                region: purchase.address?.region, postalCode: purchase.address?.postalCode,
                location: purchase.address?.location),
            totals: priced.totals
        )
    }
}
