import Foundation
import PouchEntities

/// The staging area of imports, and the catalogue as imports change it.
public protocol ImportRepository {
    func begin(id: String, at: Date) throws
    func stage(id: String, records: [StagedRecord], from position: Int, at: Date) throws
    func stage(id: String, asset: StoredAsset, at: Date) throws
    /// The records behind the position, in order.
    func staged(id: String, after position: Int, limit: Int) throws -> [(position: Int, record: StagedRecord)]
    /// Removes what is staged.
    func discard(id: String) throws
    /// Removes what was staged by imports that have not been heard of since the given time.
    func discardAbandoned(before: Date) throws

    func entry(handle: String) throws -> CatalogEntry?
    func entry(styleCode: String) throws -> CatalogEntry?
    /// The product that a SKU belongs to.
    func productId(sku: String) throws -> String?
    /// Writes the product with its variants. A variant that is new gets a row of stock.
    func save(_ entry: CatalogEntry) throws
    /// Sets the units on hand, to no less than what orders hold.
    func setOnHand(sku: String, _ units: Int, at: Date) throws

    /// - Returns: whether it is new or differs from what was kept.
    func save(_ season: Season) throws -> Bool
    /// - Returns: whether it is new or differs from what was kept.
    func save(_ theme: Theme) throws -> Bool
    /// - Returns: whether it is new or differs from what was kept.
    func saveCategory(id: String, name: String) throws -> Bool
    func promotions() throws -> [CatalogContent.PromotedProduct]
    func replacePromotions(_ promotions: [CatalogContent.PromotedProduct]) throws
    /// Takes over the staged files.
    ///
    /// - Returns: how many are new or differ from those that were kept.
    func publishAssets(id: String) throws -> Int
    /// Lets everybody who follows the catalogue see what was changed.
    func raiseVersion() throws
}
