import Foundation
import PouchEntities

/// A cart during a change of one line or of its head. A line is written immediately, the head with `save`.
///
/// While the sums on the head are valid, no other line is read.
struct CartEdit {
    private(set) var record: CartRecord
    /// The changed line; nil if none was changed, or it was removed.
    private(set) var line: PricedLine?
    /// The lines after the change, if they were read.
    private(set) var contents: CartContents?

    private var addsLine = false
    private let head: CartHead
    private let pricing: Pricing
    private let now: Date
    private let repositories: any Repositories

    init(_ head: CartHead, pricing: Pricing, at now: Date, in repositories: any Repositories) {
        self.head = head
        self.pricing = pricing
        self.now = now
        self.repositories = repositories
        record = head.record
        record.changes = []
        if !(record.sums?.hold(at: now, catalogVersion: head.catalogVersion) ?? true) { record.sums = nil }
    }

    var description: OfferDescription? { head.offer?.description }

    /// The changed line with its description, before any discount.
    var cartLine: CartLine? {
        guard let line, let description else { return nil }
        return CartLine(line, description)
    }

    /// The line of the SKU before the change, unless it is no longer offered.
    private var lineBefore: PricedLine? {
        get throws {
            guard let units = head.units, let offer = head.offer?.offer else { return nil }
            return try PricedLine(offer: offer, quantity: units.quantity, seenPrice: units.seenPrice)
        }
    }

    /// - Throws: `DomainError.invalid`, `.unknownSKU`, `.notForSale`, `.outOfStock`, `.cartFull`.
    mutating func add(_ sku: String, _ quantity: Int) throws {
        let (sum, overflows) = (try lineBefore?.quantity ?? 0).addingReportingOverflow(quantity)
        try set(sku, to: quantity < 1 || overflows ? quantity : sum)
    }

    /// - Throws: `DomainError.invalid`, `.unknownSKU`, `.notForSale`, `.outOfStock`, `.cartFull`.
    mutating func set(_ sku: String, to quantity: Int) throws {
        let range = ModelLimits.quantity
        guard range.contains(quantity) else {
            throw DomainError.invalid(
                "quantity", .outOfRange,
                "The quantity of a line must be from \(range.lowerBound) to \(range.upperBound).")
        }
        // Compared again, since a database may truncate text at a NUL.
        guard let offer = head.offer?.offer, offer.sku == sku else {
            throw try repositories.refusal(ofSKUs: [sku], at: now)
        }
        let before = try lineBefore
        // A smaller quantity is always allowed, even above the stock.
        guard quantity <= max(offer.available, before?.quantity ?? 0) else {
            throw DomainError.outOfStock([StockShortfall(sku: sku, available: offer.available)])
        }
        let line = try PricedLine(offer: offer, quantity: quantity, seenPrice: offer.price)
        let position = try repositories.carts.setLine(
            ownerId: record.ownerId, CartUnits(sku: sku, quantity: quantity, seenPrice: offer.price),
            newPosition: record.nextPosition)
        if before == nil {
            addsLine = true
            record.nextPosition = position + 1
        }
        try count(before, line)
        if let sums = record.sums { try checkRoom(sums.lineCount) }
        self.line = line
    }

    mutating func remove(_ sku: String) throws {
        try repositories.carts.removeLines(ownerId: record.ownerId, skus: [sku])
        if head.units != nil { try count(lineBefore, nil) }
    }

    mutating func clear() throws {
        record.clear()
        contents = CartContents(lines: [], notOffered: [], descriptions: [:], changesAt: nil)
        try repositories.carts.removeLines(ownerId: record.ownerId)
    }

    /// - Parameter describing: whether lines that must be read are also described.
    /// - Throws: `DomainError.unknownShippingMethod`, `.locationRequired`.
    mutating func choose(_ methodId: String, _ address: Address, describing: Bool) throws {
        // A method may depend on the weight and on the price without the discount.
        let totals = try record.sums.flatMap { try pricing.totals(of: $0, methodId: methodId, address: address) }
        if totals == nil {
            try readLines(describing: describing)
            _ = try pricing.price(contents?.lines ?? [], methodId: methodId, address: address)
        }
        record.shippingMethodId = methodId
        record.shippingAddress = address
    }

    mutating func choose(discountCode: String?) {
        record.discountCode = discountCode
    }

    private mutating func count(_ before: PricedLine?, _ after: PricedLine?) throws {
        // The sums have the price that the owner has seen.
        guard before?.priceChange == nil else { return record.sums = nil }
        record.sums = try record.sums?.changed(
            from: before, to: after, prices: prices(until: head.changesAt),
            taxes: pricing.taxTable(record.shippingAddress))
    }

    private func prices(until: Date?) -> CartSums.Prices {
        CartSums.Prices(catalogVersion: head.catalogVersion, from: now, until: until)
    }

    private func checkRoom(_ lineCount: Int) throws {
        guard !addsLine || lineCount <= ModelLimits.lines else { throw DomainError.cartFull }
    }

    // MARK: All lines

    /// Reads the current lines, and marks their prices as seen by the owner.
    mutating func readLines(describing: Bool) throws {
        if let contents, contents.descriptions != nil || !describing { return }
        let found = try repositories.carts.read(ownerId: record.ownerId, describing: describing, at: now).contents
        try checkRoom(found.lines.count)
        let changed = found.lines.filter { $0.priceChange != nil }.byKey { ($0.offer.sku, $0.offer.price) }
        if !changed.isEmpty { try repositories.carts.acknowledge(ownerId: record.ownerId, changed) }
        contents = CartContents(
            lines: try found.lines.map {
                try PricedLine(offer: $0.offer, quantity: $0.quantity, seenPrice: $0.offer.price)
            }, notOffered: found.notOffered, descriptions: found.descriptions, changesAt: found.changesAt)
    }

    /// Writes the head, with the sums of the lines if they were read.
    mutating func save() throws {
        if let contents {
            record.sums = try CartSums(
                contents.lines,
                prices: prices(until: [contents.changesAt, head.nextOffering].compactMap(\.self).min()),
                taxes: pricing.taxTable(record.shippingAddress))
        }
        try repositories.carts.save(&record, at: now)
    }
}
