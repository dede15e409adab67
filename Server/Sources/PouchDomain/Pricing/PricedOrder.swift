import PouchEntities

/// Lines with discount, shipping and tax. The discounts of the lines and of free shipping add up to `discountAmount`;
/// the taxes of the lines and of the shipping to `totals.tax`.
public struct PricedOrder: Sendable, Equatable {
    public struct Line: Sendable, Equatable {
        public let line: PricedLine
        /// At most the line's total.
        public let discount: Money
        /// If prices include tax, the part of total less discount that is tax.
        public let tax: Money
    }

    /// In the order of the input.
    public let lines: [Line]
    /// Includes the amount saved by free shipping.
    public let discountAmount: Money
    /// The full price, even if a discount makes it free; 0 until a method is chosen.
    public let shippingPrice: Money
    /// Of the shipping that is left to pay.
    public let shippingTax: Money
    /// The weight of all units; saturates at Int.max.
    public let grams: Int
    public let totals: Totals
}

extension PricedOrder.Line {
    func cartLine(_ description: OfferDescription) -> CartLine {
        CartLine(
            sku: line.offer.sku, productHandle: line.offer.productHandle, name: description.name,
            image: description.image, options: description.options, quantity: line.quantity,
            unitPrice: line.offer.price, lineTotal: line.total, discount: discount, available: line.offer.available)
    }

    func orderLine(_ description: OfferDescription) -> OrderLine {
        OrderLine(
            sku: line.offer.sku, name: description.name, options: description.options, quantity: line.quantity,
            unitPrice: line.offer.price, lineTotal: line.total, discount: discount, tax: tax, refundedQuantity: 0)
    }
}

extension PricedOrder {
    /// - Parameter descriptions: by SKU, of every line.
    func cartLines(_ descriptions: [String: OfferDescription]) -> [CartLine] {
        lines.compactMap { line in descriptions[line.line.offer.sku].map(line.cartLine) }
    }

    /// - Parameter descriptions: by SKU, of every line.
    func orderLines(_ descriptions: [String: OfferDescription]) -> [OrderLine] {
        lines.compactMap { line in descriptions[line.line.offer.sku].map(line.orderLine) }
    }
}
