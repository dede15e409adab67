import PouchEntities

/// What comes out when a guest's lines are added to an account's.
struct CartMerge {
    /// Lines of the guest with the units that the account's cart has of them afterwards.
    private(set) var lines: [(line: PricedLine, quantity: Int)] = []
    /// SKUs that the account's cart has no longer, since nothing of them is left in stock.
    private(set) var removed: [String] = []
    private(set) var changes: [CartChange] = []

    /// - Parameter own: the account's units by SKU.
    init(own: [String: Int], guest: [PricedLine]) {
        var room = ModelLimits.lines - own.count
        for line in guest {
            let sku = line.offer.sku
            let before = own[sku] ?? 0
            let sum = before + line.quantity
            var quantity = min(sum, ModelLimits.quantity.upperBound, max(0, line.offer.available))
            if before == 0, quantity > 0 {
                if room > 0 { room -= 1 } else { quantity = 0 }
            }
            if quantity == 0 {
                changes.append(.quantity(sku: sku, .removed, from: sum, to: 0))
                if before > 0 { removed.append(sku) }
                continue
            }
            lines.append((line, quantity))
            changes.append(
                quantity < sum
                    ? .quantity(sku: sku, .quantityReduced, from: sum, to: quantity)
                    : .quantity(sku: sku, .merged, from: before, to: quantity))
        }
    }
}
