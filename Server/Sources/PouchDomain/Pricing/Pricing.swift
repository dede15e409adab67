import PouchEntities

public struct Pricing: Sendable {
    private let shop: ShopSettings

    public init(shop: ShopSettings) {
        self.shop = shop
    }

    public func price(
        _ lines: [PricedLine], discount: Discount?, methodId: String?, address: Address?
    ) throws -> PricedOrder {
        let zero = Money.zero(shop.currency)
        var items = zero
        for line in lines { items = try items.adding(line.total) }
        let shipping = try methodId.map { id throws(DomainError) in try shop.shippingMethod(id: id).price } ?? zero
        return PricedOrder(
            lines: lines.map { .init(line: $0, discount: zero, tax: zero) }, discountAmount: zero,
            shippingPrice: shipping, shippingTax: zero,
            totals: Totals(
                items: items, discount: zero, shipping: shipping, tax: zero, total: try items.adding(shipping)))
    }

    public func shippingMethods(
        for lines: [PricedLine], country: String?, postalCode: String?
    ) throws -> [ShippingMethod] { shop.shippingMethods }
}
