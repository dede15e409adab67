import PouchEntities

/// A cart as it is now, priced.
public struct PricedCart: Sendable {
    let record: CartRecord
    let order: PricedOrder
    let discount: CartDiscount?
    let shipping: Shipping?
    /// By SKU; of all lines where the whole cart was asked for.
    let descriptions: [String: OfferDescription]

    public var version: Int { record.version }

    /// The whole of it.
    public var cart: Cart {
        Cart(
            id: record.id,
            version: record.version,
            lines: order.cartLines(descriptions),
            discount: discount,
            shipping: shipping,
            totals: order.totals,
            changes: record.changes + order.lines.compactMap(\.line.priceChange),
            updatedAt: record.updatedAt
        )
    }

    /// What a client needs that knows the cart of before.
    ///
    /// - Parameter sku: the line that was changed.
    public func summary(changed sku: String?) -> CartSummary {
        let line = order.lines.first { $0.line.offer.sku == sku }
        return CartSummary(
            id: record.id, version: record.version,
            line: line.flatMap { line in descriptions[line.line.offer.sku].map(line.cartLine) },
            totals: order.totals)
    }
}
