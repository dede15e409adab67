import Foundation
import PouchEntities

/// The stored head of a cart; its lines are stored separately.
public struct CartRecord: Sendable, Equatable {
    public let ownerId: String
    /// The number of writes; 0 for a cart that was never written.
    public var version: Int
    public var shippingMethodId: String?
    public var shippingAddress: Address?
    public var discountCode: String?
    public var changes: [CartChange]
    public var updatedAt: Date
    /// The sums over the lines, if they are known; they may be based on an earlier catalogue.
    public var sums: CartSums?
    /// The position of the next new line, after all others, if known.
    public var nextPosition: Int?

    public init(
        ownerId: String, version: Int, shippingMethodId: String? = nil, shippingAddress: Address? = nil,
        discountCode: String? = nil, changes: [CartChange] = [], updatedAt: Date, sums: CartSums? = nil,
        nextPosition: Int? = nil
    ) {
        self.ownerId = ownerId
        self.version = version
        self.shippingMethodId = shippingMethodId
        self.shippingAddress = shippingAddress
        self.discountCode = discountCode
        self.changes = changes
        self.updatedAt = updatedAt
        self.sums = sums
        self.nextPosition = nextPosition
    }

    /// The head of a cart that was never written.
    public static func new(ownerId: String, at now: Date) -> CartRecord {
        CartRecord(ownerId: ownerId, version: 0, updatedAt: now, sums: .empty, nextPosition: 1)
    }

    /// The id, derived from the owner, who has one cart.
    public var id: String { "crt_" + ownerId.dropFirst(4) }

    /// Empties the head together with the lines.
    mutating func clear() {
        shippingMethodId = nil
        shippingAddress = nil
        discountCode = nil
        changes = []
        sums = .empty
        nextPosition = 1
    }

    /// Clears the sums before a write that does not keep them; the owner's next write adds up the lines.
    mutating func forgetSums() {
        sums = nil
        nextPosition = nil
    }
}

/// The head of a cart with everything that a write to one line needs, read in one statement.
public struct CartHead: Sendable {
    public let record: CartRecord
    public let catalogVersion: Int64
    /// The time at which the next season begins or the next product is published; the cart may already contain its
    /// products.
    public let nextOffering: Date?
    /// The line of the SKU.
    public let units: CartUnits?
    /// The offer of the SKU.
    public let offer: DescribedOffer?
    /// The time of the SKU's next price change, or of its product's withdrawal.
    public let changesAt: Date?

    public init(
        record: CartRecord, catalogVersion: Int64, nextOffering: Date?, units: CartUnits?, offer: DescribedOffer?,
        changesAt: Date?
    ) {
        self.record = record
        self.catalogVersion = catalogVersion
        self.nextOffering = nextOffering
        self.units = units
        self.offer = offer
        self.changesAt = changesAt
    }
}

/// The lines of a cart with price and stock at a time, in the order in which they were added.
public struct CartContents: Sendable {
    public let lines: [PricedLine]
    /// The lines that are not offered, since their product was withdrawn or belongs to a season that has not begun.
    /// They stay in the cart, and count again when they are offered again.
    public let notOffered: [CartUnits]
    /// The descriptions by SKU; nil if they were not requested.
    public let descriptions: [String: OfferDescription]?
    /// The time of the next price change or withdrawal of a product.
    public let changesAt: Date?

    public init(
        lines: [PricedLine], notOffered: [CartUnits], descriptions: [String: OfferDescription]? = nil, changesAt: Date?
    ) {
        self.lines = lines
        self.notOffered = notOffered
        self.descriptions = descriptions
        self.changesAt = changesAt
    }
}

public protocol CartRepository {
    /// nil when the owner has never written to the cart.
    func cart(ownerId: String) throws -> CartRecord?
    /// The head with the line and the offer of a SKU at a time, read at one moment.
    func head(ownerId: String, sku: String?, at: Date) throws -> CartHead
    /// Writes the head if the stored version is the previous one.
    ///
    /// - Returns: false, without writing, when the stored version is another.
    func save(_ cart: CartRecord) throws -> Bool
    func delete(ownerId: String) throws

    /// The head, or a new one at version 0 if none is stored, and the lines, read at one moment.
    func read(ownerId: String, describing: Bool, at: Date) throws -> (record: CartRecord, contents: CartContents)
    /// Changes the line, or adds it at the position, by default last.
    ///
    /// - Returns: the position of the line.
    func setLine(ownerId: String, _ line: CartUnits, newPosition: Int?) throws -> Int
    /// Changes the lines, or adds them at the end, in one statement.
    func setLines(ownerId: String, _ lines: [CartUnits]) throws
    /// Adds units to those of the cart, up to the maximum quantity of a line. Omits and returns the lines beyond the
    /// maximum number of lines, last first.
    func putBack(ownerId: String, _ lines: [CartUnits]) throws -> [CartUnits]
    /// Stores the prices by SKU as seen by the owner.
    func acknowledge(ownerId: String, _ prices: [String: Money]) throws
    func removeLines(ownerId: String, skus: [String]) throws
    func removeLines(ownerId: String) throws
}

extension CartRepository {
    /// The stored head, or a new one at version 0.
    func record(ownerId: String, at now: Date) throws -> CartRecord {
        try cart(ownerId: ownerId) ?? .new(ownerId: ownerId, at: now)
    }

    public func lines(ownerId: String, at now: Date) throws -> [PricedLine] {
        try read(ownerId: ownerId, describing: false, at: now).contents.lines
    }

    /// Writes the head under its next version.
    func save(_ record: inout CartRecord, at now: Date) throws {
        record.version += 1
        record.updatedAt = now
        guard try save(record) else { throw TransactionConflict() }
    }
}

/// A stored line of a cart.
public struct CartUnits: Sendable, Equatable {
    public let sku: String
    public let quantity: Int
    /// The unit price that the owner has seen.
    public let seenPrice: Money

    public init(sku: String, quantity: Int, seenPrice: Money) {
        self.sku = sku
        self.quantity = quantity
        self.seenPrice = seenPrice
    }
}

/// A cart with its delivery options.
public struct CartAtCheckout: Sendable {
    /// The cart, whose totals include the method, whether or not there is an address.
    public let cart: Cart
    /// The address; nil until one is chosen.
    public let address: Address?
    /// The methods with their prices for the address.
    public let methods: [ShippingMethod]
    /// The chosen method or the first one; nil if none is offered.
    public let method: ShippingMethod?
}

/// A cart with current prices.
public struct PricedCart: Sendable {
    let record: CartRecord
    let order: PricedOrder
    let notOffered: [CartUnits]
    let discount: CartDiscount?
    let shipping: Shipping?
    /// The descriptions by SKU; for all lines if the whole cart was requested.
    let descriptions: [String: OfferDescription]

    public var version: Int { record.version }

    public var cart: Cart {
        Cart(
            id: record.id,
            version: record.version,
            lines: order.cartLines(descriptions),
            discount: discount,
            shipping: shipping,
            totals: order.totals,
            changes: record.changes + notOffered.map(\.removal) + order.lines.compactMap(\.line.priceChange),
            updatedAt: record.updatedAt
        )
    }

    /// The `return=minimal` body with the changed line, for a client that has the previous cart.
    public func summary(changed sku: String?) -> CartSummary {
        let line = order.lines.first { $0.line.offer.sku == sku }
        return CartSummary(
            record, line: line.flatMap { line in descriptions[line.line.offer.sku].map(line.cartLine) },
            totals: order.totals)
    }
}

extension CartUnits {
    /// The change of a line that is no longer offered.
    var removal: CartChange { .quantity(sku: sku, .removed, from: quantity, to: 0) }
}

extension CartSummary {
    init(_ record: CartRecord, line: CartLine?, totals: Totals) {
        self.init(id: record.id, version: record.version, line: line, totals: totals)
    }
}
