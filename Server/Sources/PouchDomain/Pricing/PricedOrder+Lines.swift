import PouchEntities

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
    /// - Parameter descriptions: by SKU; of every line.
    func cartLines(_ descriptions: [String: OfferDescription]) -> [CartLine] {
        lines.compactMap { line in descriptions[line.line.offer.sku].map(line.cartLine) }
    }

    /// - Parameter descriptions: by SKU; of every line.
    func orderLines(_ descriptions: [String: OfferDescription]) -> [OrderLine] {
        lines.compactMap { line in descriptions[line.line.offer.sku].map(line.orderLine) }
    }
}
