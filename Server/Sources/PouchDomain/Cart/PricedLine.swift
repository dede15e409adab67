import PouchEntities

/// Some units of an offer, priced.
public struct PricedLine: Sendable, Equatable {
    public let offer: Offer
    public let quantity: Int
    public let total: Money
    /// The unit price that the buyer saw when they chose it; nil where nobody noted it.
    public let seenPrice: Money?

    /// - Throws: `MoneyError.overflow`.
    public init(offer: Offer, quantity: Int, seenPrice: Money? = nil) throws(MoneyError) {
        self.offer = offer
        self.quantity = quantity
        self.seenPrice = seenPrice
        total = try offer.price.multiplied(by: quantity)
    }

    public var cartLine: CartLine {
        CartLine(
            sku: offer.sku, productHandle: offer.productHandle, name: offer.name, image: offer.image,
            options: offer.options, quantity: quantity, unitPrice: offer.price, lineTotal: total,
            discount: .zero(offer.price.currency), available: offer.available)
    }

    public var orderLine: OrderLine {
        OrderLine(
            sku: offer.sku, name: offer.name, options: offer.options, quantity: quantity, unitPrice: offer.price,
            lineTotal: total, discount: .zero(offer.price.currency), tax: .zero(offer.price.currency),
            refundedQuantity: 0)
    }

    var priceChange: CartChange? {
        guard let seenPrice, seenPrice != offer.price else { return nil }
        return .priceChanged(sku: offer.sku, from: seenPrice, to: offer.price)
    }
}
