import Foundation
import PouchEntities

public protocol CartRepository {
    /// nil when the owner never wrote to their cart.
    func cart(ownerId: String) throws -> CartRecord?
    /// Writes the head when the stored version is the one before.
    ///
    /// - Returns: whether it was.
    func save(_ cart: CartRecord) throws -> Bool
    func delete(ownerId: String) throws

    /// With price and stock as they are at the time, in the order in which they were added.
    func lines(ownerId: String, at: Date) throws -> [PricedLine]
    /// What the lines are called, by SKU.
    func descriptions(ownerId: String) throws -> [String: OfferDescription]
    /// Adds the line behind the others or changes it.
    func setLine(ownerId: String, sku: String, quantity: Int, seenPrice: Money) throws
    /// Adds the units to those of the cart, up to the most of a line. What finds no room in the cart any more is left out,
    /// the last first.
    ///
    /// - Returns: what was left out.
    func putBack(ownerId: String, _ lines: [CartUnits]) throws -> [CartUnits]
    /// Notes the prices, by SKU, as those that the owner saw.
    func acknowledge(ownerId: String, _ prices: [String: Money]) throws
    func removeLine(ownerId: String, sku: String) throws
    /// - Returns: what was removed, in the order in which it was added.
    @discardableResult
    func removeLines(ownerId: String) throws -> [CartUnits]
}

/// A line of a cart as it is kept.
public struct CartUnits: Sendable, Equatable {
    public let sku: String
    public let quantity: Int
    /// The unit price that the owner saw.
    public let seenPrice: Money

    public init(sku: String, quantity: Int, seenPrice: Money) {
        self.sku = sku
        self.quantity = quantity
        self.seenPrice = seenPrice
    }
}
