import Foundation
import PouchEntities

/// A cart during a change. It updates the stored cart and its own copy together, so that nothing is read twice.
struct CartEdit {
    var record: CartRecord
    private(set) var lines: [PricedLine]
    private(set) var descriptions: [String: OfferDescription]

    private let repositories: any Repositories
    private let now: Date
    /// Units by SKU that expired holds still count as held.
    private let expired: [String: Int]

    /// - Parameter describing: whether to describe all lines, or only those that change.
    init(ownerId: String, describing: Bool, at now: Date, in repositories: any Repositories) throws {
        self.repositories = repositories
        self.now = now
        record = try repositories.carts.record(ownerId: ownerId, at: now)
        let expired = try repositories.stock.expiredHolds(at: now)
        lines = try repositories.carts.lines(ownerId: ownerId, at: now).map { try $0.returning(expired) }
        descriptions = describing ? try repositories.carts.descriptions(ownerId: ownerId) : [:]
        self.expired = expired
    }

    func quantity(of sku: String) -> Int {
        lines.first { $0.offer.sku == sku }?.quantity ?? 0
    }

    /// - Throws: `DomainError.invalid`, `.unknownSKU`, `.outOfStock`, `.cartFull`.
    mutating func set(_ sku: String, to quantity: Int) throws {
        let range = ModelLimits.quantity
        guard range.contains(quantity) else {
            throw DomainError.invalid(
                "quantity", .outOfRange,
                "The quantity of a line must be from \(range.lowerBound) to \(range.upperBound).")
        }
        // Compared again, since a database may cut a text at a NUL.
        guard let found = try repositories.catalog.offers(skus: [sku], at: now).first(where: { $0.offer.sku == sku })
        else { throw DomainError.unknownSKU(sku) }
        let offer = found.offer.returning(expired)
        let index = lines.firstIndex { $0.offer.sku == sku }
        // A smaller quantity is always allowed, even above the stock.
        guard quantity <= max(offer.available, index.map { lines[$0].quantity } ?? 0) else {
            throw DomainError.outOfStock([StockShortfall(sku: sku, available: offer.available)])
        }
        let line = try PricedLine(offer: offer, quantity: quantity, seenPrice: offer.price)
        if let index {
            lines[index] = line
        } else {
            guard lines.count < ModelLimits.lines else { throw DomainError.cartFull }
            lines.append(line)
        }
        descriptions[sku] = found.description
        try repositories.carts.setLine(ownerId: record.ownerId, sku: sku, quantity: quantity, seenPrice: offer.price)
    }

    mutating func remove(_ sku: String) throws {
        lines.removeAll { $0.offer.sku == sku }
        try repositories.carts.removeLine(ownerId: record.ownerId, sku: sku)
    }

    mutating func clear() throws {
        lines = []
        record.clear()
        try repositories.carts.removeLines(ownerId: record.ownerId)
    }

    /// Marks price changes and earlier changes as seen by the owner.
    mutating func acknowledge() throws {
        record.changes = []
        let changed = lines.filter { $0.priceChange != nil }.byKey { ($0.offer.sku, $0.offer.price) }
        guard !changed.isEmpty else { return }
        try repositories.carts.acknowledge(ownerId: record.ownerId, changed)
        lines = try lines.map { try PricedLine(offer: $0.offer, quantity: $0.quantity, seenPrice: $0.offer.price) }
    }

    mutating func save() throws { try repositories.carts.save(&record, at: now) }
}

extension Offer {
    /// Adds units of expired holds, which can be bought.
    func returning(_ expired: [String: Int]) -> Offer {
        guard let units = expired[sku] else { return self }
        return Offer(
            sku: sku, productHandle: productHandle, categoryId: categoryId, weightGrams: weightGrams, price: price,
            available: available + units)
    }
}

extension PricedLine {
    fileprivate func returning(_ expired: [String: Int]) throws -> PricedLine {
        guard !expired.isEmpty else { return self }
        return try PricedLine(offer: offer.returning(expired), quantity: quantity, seenPrice: seenPrice)
    }
}
