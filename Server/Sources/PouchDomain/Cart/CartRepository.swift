import PouchEntities

public protocol CartRepository {
    /// nil when the owner never wrote to their cart.
    func cart(ownerId: String) throws -> CartRecord?
    /// Writes the head when the stored version is the one before.
    ///
    /// - Returns: whether it was.
    func save(_ cart: CartRecord) throws -> Bool
    func delete(ownerId: String) throws

    /// With price and stock as they are now, in the order in which they were added. One statement.
    func lines(ownerId: String) throws -> [PricedLine]
    func lineCount(ownerId: String) throws -> Int
    /// 0 when there is no such line.
    func quantity(ownerId: String, sku: String) throws -> Int
    /// Adds the line or changes it.
    func setLine(ownerId: String, sku: String, quantity: Int, seenPrice: Money) throws
    /// Notes the prices of now as those that the owner saw.
    func acknowledgePrices(ownerId: String) throws
    func removeLine(ownerId: String, sku: String) throws
    func removeLines(ownerId: String) throws
}
