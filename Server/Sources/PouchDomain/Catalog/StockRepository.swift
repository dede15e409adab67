/// Units on hand and held, by SKU. Every method is one conditional statement; none can make a figure negative.
public protocol StockRepository {
    /// Holds units for an order.
    ///
    /// - Returns: false when fewer are available; nothing is held then.
    func hold(sku: String, quantity: Int) throws -> Bool
    /// Gives up units that were held.
    func release(sku: String, quantity: Int) throws
    /// Takes units that were held off the stock for good.
    func sell(sku: String, quantity: Int) throws
    /// Puts units that were sold back.
    func putBack(sku: String, quantity: Int) throws
}
