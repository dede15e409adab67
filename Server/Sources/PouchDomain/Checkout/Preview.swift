import PouchEntities

/// What an order would come to, without placing it.
public struct Preview: Sendable {
    private let shop: ShopSettings
    private let time: any TimeSource

    public init(shop: ShopSettings, time: any TimeSource) {
        self.shop = shop
        self.time = time
    }

    /// - Throws: `DomainError.invalid`, `.unknownSKU`, `.unknownShippingMethod`, `.discountInvalid`.
    public func preview(_ purchase: DirectPurchase, in repositories: any Repositories) throws -> OrderPreview {
        let lines = try lines(purchase, in: repositories)
        if let address = purchase.address {
            try AccountRules.problems(address, prefix: "address.").check()
        }
        let method = try purchase.methodId.map { id throws(DomainError) in try shop.shippingMethod(id: id) }
        return OrderPreview(
            lines: lines.map(\.cartLine),
            methods: shop.shippingMethods,
            totals: try Totals(lines: lines, shipping: method?.price ?? .zero(shop.currency))
        )
    }

    /// The lines with the prices of now; a SKU that stands twice is one line.
    func lines(_ purchase: DirectPurchase, in repositories: any Repositories) throws -> [PricedLine] {
        guard purchase.discount == nil else { throw DomainError.discountInvalid }
        guard (1...ModelLimits.lines).contains(purchase.lines.count) else {
            throw DomainError.invalid([
                InvalidField("lines", .outOfRange, "There must be from 1 to \(ModelLimits.lines) lines.")
            ])
        }
        var order: [String] = []
        var quantities: [String: Int] = [:]
        for (index, line) in purchase.lines.enumerated() {
            if quantities[line.sku] == nil { order.append(line.sku) }
            let (sum, overflow) = quantities[line.sku, default: 0].addingReportingOverflow(line.quantity)
            guard line.quantity >= 1, !overflow, ModelLimits.quantity.contains(sum) else {
                throw DomainError.invalid([
                    InvalidField(
                        "lines.\(index).quantity", .outOfRange,
                        "The quantity of a SKU must be from 1 to \(ModelLimits.quantity.upperBound).")
                ])
            }
            quantities[line.sku] = sum
        }
        let offers = Dictionary(
            try repositories.catalog.offers(skus: order, at: time.now).map { ($0.sku, $0) },
            uniquingKeysWith: { first, _ in first })
        return try order.map { sku in
            guard let offer = offers[sku], let quantity = quantities[sku] else { throw DomainError.unknownSKU(sku) }
            return try PricedLine(offer: offer, quantity: quantity)
        }
    }
}
