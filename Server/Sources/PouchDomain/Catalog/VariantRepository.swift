import PouchEntities

/// Single variants as administrators change them. Every change is one conditional statement.
public protocol VariantRepository {
    func variant(sku: String) throws -> ManagedVariant?
    /// - Returns: whether there is such a SKU, and its price was another.
    func setPrice(sku: String, _ price: Money) throws -> Bool
    /// Sets how many units can be bought, beside those that are held.
    func setAvailable(sku: String, _ units: Int) throws
    /// Adds to the units on hand, or takes from them.
    ///
    /// - Returns: false when fewer would be left than are held; nothing is changed then.
    func adjust(sku: String, by units: Int) throws -> Bool
}
