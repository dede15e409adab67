import Foundation
import PouchData
import PouchEntities

extension Cart {
    /// The cart of a visitor before the server has sent one.
    static func empty(in currency: Currency) -> Cart {
        let zero = Money.zero(currency)
        return Cart(
            id: "", version: 0, lines: [],
            totals: Totals(items: zero, discount: zero, shipping: zero, tax: zero, total: zero), changes: [],
            updatedAt: .distantPast)
    }

    /// An estimate: discount and shipping do not change, tax changes with the items, and stock is ignored.
    ///
    /// - Parameter product: the product of a line that the edit adds.
    /// - Throws: `.unknownSKU`, `.cartFull`, and `.validation` for a quantity or a sum that is out of bounds.
    func applying(_ edit: CartEdit, product: Product?) throws(DataError) -> Cart {
        var lines = lines
        switch edit {
        case .add(let sku, let quantity):
            let index = lines.firstIndex { $0.sku == sku }
            let (sum, overflows) = quantity.addingReportingOverflow(index.map { lines[$0].quantity } ?? 0)
            guard quantity >= ModelLimits.quantity.lowerBound, !overflows else { throw .quantityOutOfRange }
            try lines.put(sku, sum, product)
        case .set(let sku, 0), .remove(let sku): lines.removeAll { $0.sku == sku }
        case .set(let sku, let quantity): try lines.put(sku, quantity, product)
        case .clear: lines = []
        }
        guard lines.count <= ModelLimits.lines else { throw DataError(.cartFull) }
        do {
            return Cart(
                id: id, version: version, lines: lines, discount: discount, shipping: shipping,
                totals: try totals.estimated(for: lines), changes: changes, updatedAt: updatedAt)
        } catch {
            throw .quantityOutOfRange
        }
    }

    /// New changes that the server lists, then different prices, fewer units and removed lines.
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

extension [CartLine] {
    fileprivate mutating func put(_ sku: String, _ quantity: Int, _ product: Product?) throws(DataError) {
        guard ModelLimits.quantity.contains(quantity) else { throw .quantityOutOfRange }
        let index = firstIndex { $0.sku == sku }
        guard var line = index.map({ self[$0] }) ?? product.flatMap({ CartLine(sku, of: $0) }) else {
            throw DataError(.unknownSKU)
        }
        guard let total = try? line.unitPrice.multiplied(by: quantity) else { throw .quantityOutOfRange }
        (line.quantity, line.lineTotal) = (quantity, total)
        if let index { self[index] = line } else { append(line) }
    }
}

extension CartLine {
    /// nil for a SKU of another product.
    fileprivate init?(_ sku: String, of product: Product) {
        guard let variant = product.variants.first(where: { $0.sku == sku }) else { return nil }
        self.init(
            sku: sku, productHandle: product.handle, name: product.name, image: product.images.first,
            options: variant.options, quantity: 0, unitPrice: variant.price, lineTotal: .zero(variant.price.currency),
            discount: .zero(variant.price.currency), available: variant.available)
    }
}

extension Totals {
    fileprivate func estimated(for lines: [CartLine]) throws(MoneyError) -> Totals {
        let zero = Money.zero(items.currency)
        guard !lines.isEmpty else {
            return Totals(items: zero, discount: zero, shipping: zero, tax: zero, total: zero)
        }
        let items = try Money.sum(lines.map(\.lineTotal), in: items.currency)
        let discount = discount.amount < items.amount ? discount : items
        let tax = self.items.amount > 0 ? try tax.share(items.amount, of: self.items.amount) : zero
        var total = try items.subtracting(discount).adding(shipping)
        if !includesTax { total = try total.adding(tax) }
        return Totals(items: items, discount: discount, shipping: shipping, tax: tax, total: total)
    }
}

extension DataError {
    fileprivate static var quantityOutOfRange: DataError {
        let range = ModelLimits.quantity
        let detail = "The quantity of a line must be from \(range.lowerBound) to \(range.upperBound)."
        return DataError(.validation([InvalidField(field: "quantity", detail: detail)]))
    }
}
