import PouchEntities

/// Some units of an offer.
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

    var priceChange: CartChange? {
        guard let seenPrice, seenPrice != offer.price else { return nil }
        return .priceChanged(sku: offer.sku, from: seenPrice, to: offer.price)
    }
}
