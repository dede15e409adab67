import PouchEntities

extension Cart {
    /// What the server made of a cart that should have come out otherwise: what it lists and was not known, then what else
    /// is dearer, cheaper, fewer or gone.
    func changes(from expected: Cart) -> [CartChange] {
        let listed = changes.filter { !expected.changes.contains($0) }
        return listed
            + differences(from: expected).filter { found in
                !listed.contains { $0.sku == found.sku && $0.reason == found.reason }
            }
    }

    private func differences(from expected: Cart) -> [CartChange] {
        let found = Dictionary(lines.map { ($0.sku, $0) }, uniquingKeysWith: { first, _ in first })
        return expected.lines.flatMap { old -> [CartChange] in
            guard let new = found[old.sku] else {
                return [.quantity(sku: old.sku, .removed, from: old.quantity, to: 0)]
            }
            var changes: [CartChange] = []
            if new.unitPrice != old.unitPrice {
                changes.append(.priceChanged(sku: old.sku, from: old.unitPrice, to: new.unitPrice))
            }
            if new.quantity < old.quantity {
                changes.append(.quantity(sku: old.sku, .quantityReduced, from: old.quantity, to: new.quantity))
            }
            return changes
        }
    }
}
