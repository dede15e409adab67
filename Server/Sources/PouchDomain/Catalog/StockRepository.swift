import Foundation

/// Units on hand and held, by SKU. Every method is one conditional statement for any number of SKUs, each of which stands
/// once; none can make a figure negative.
public protocol StockRepository {
    /// Holds the units of those SKUs of which enough are available.
    ///
    /// - Returns: those SKUs.
    func hold(_ units: [StockUnits]) throws -> Set<String>
    /// Gives up units that were held.
    func release(_ units: [StockUnits]) throws
    /// Takes units that were held off the stock for good.
    func sell(_ units: [StockUnits]) throws
    /// Puts units that were sold back.
    func putBack(_ units: [StockUnits]) throws

    /// Units by SKU that pending orders hold whose time is up: others may buy them, though they still count as held.
    func expiredHolds(at: Date) throws -> [String: Int]
}

/// So many units of a SKU.
public struct StockUnits: Sendable, Equatable {
    public let sku: String
    public let quantity: Int

    public init(sku: String, quantity: Int) {
        self.sku = sku
        self.quantity = quantity
    }
}
