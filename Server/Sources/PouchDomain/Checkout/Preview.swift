import PouchEntities

/// What an order would come to, without placing it.
public struct Preview: Sendable {
    private let time: any TimeSource
    private let pricing: Pricing

    public init(_ environment: DomainEnvironment) {
        time = environment.time
        pricing = Pricing(shop: environment.shop)
    }

    /// - Throws: `DomainError.invalid`, `.unknownSKU`, `.unknownShippingMethod`, `.discountInvalid`.
    public func preview(_ purchase: DirectPurchase, in repositories: any Repositories) throws -> OrderPreview {
        let units = try purchase.units()
        guard purchase.discount == nil else { throw DomainError.discountInvalid }
        if let address = purchase.address {
            try AccountRules.problems(address, prefix: "address.").check()
        }
        let offers = try repositories.offers(skus: units.map(\.sku), at: time.now)
        let lines = try units.map { unit in
            guard let found = offers[unit.sku] else { throw DomainError.unknownSKU(unit.sku) }
            return try PricedLine(offer: found.offer, quantity: unit.quantity)
        }
        let priced = try pricing.price(
            lines, discount: nil, methodId: purchase.methodId, address: purchase.address)
        return OrderPreview(
            lines: priced.cartLines(offers.mapValues(\.description)),
            methods: try pricing.shippingMethods(
                for: lines, country: purchase.address?.country, postalCode: purchase.address?.postalCode),
            totals: priced.totals
        )
    }
}
