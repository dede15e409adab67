import Foundation
import PouchDomain
import PouchEntities
import PouchFeed

/// Imports, their staging area, and the catalogue as imports change it.
public protocol ImportRepository {
    // MARK: Imports

    func create(_ record: ImportRecord, at: Date) throws
    func record(id: String) throws -> ImportRecord?
    func save(_ record: ImportRecord, at: Date) throws
    /// The oldest import whose feed was received and that has not ended.
    func unfinished() throws -> String?
    /// Those that are being received and have not been heard of since the given time.
    func abandoned(before: Date) throws -> [ImportRecord]
    /// Keeps the errors, of which the first has the given number.
    func add(_ errors: [FeedRowError], from number: Int, to id: String) throws
    /// In the order of the feed's lines.
    func errors(id: String) throws -> [FeedRowError]
    /// Forgets imports that ended and began before the given time.
    func purge(before: Date) throws

    func lease() throws -> ImportLease
    /// Takes the lease where it is free, or left, or expired at the given time and of the same import.
    ///
    /// - Returns: whether it was.
    func takeLease(of id: String, for holder: String, until: Date, at: Date) throws -> Bool
    /// - Returns: false when the holder has lost it.
    func renewLease(of id: String, for holder: String, until: Date) throws -> Bool
    /// Lets others go on with the import.
    func leaveLease(of id: String, holder: String) throws
    /// Lets another import begin.
    func endLease(of id: String) throws

    // MARK: Staging

    /// - Returns: false when the import is not being received.
    func touch(id: String, at: Date) throws -> Bool
    func stage(id: String, records: [StagedRecord], from position: Int) throws
    func stage(id: String, asset: StoredAsset) throws
    /// The records behind the position, in order.
    func staged(id: String, after position: Int, limit: Int) throws -> [(position: Int, record: StagedRecord)]
    func removeStaged(id: String, upTo position: Int) throws
    /// Removes some of what was staged and noted.
    ///
    /// - Returns: whether there may be more.
    func tidy(id: String) throws -> Bool

    // MARK: A revision

    /// A new number, greater than all before.
    func nextRevision() throws -> Int64
    /// The latest revisions of the products with one of the handles or style codes.
    func entries(handles: [String], styleCodes: [String], revision: Int64) throws -> [FoundEntry]
    /// The products that SKUs belong to.
    func productIds(skus: [String]) throws -> [String: String]
    func categoryNames(ids: [String]) throws -> [String: String]
    /// Notes the products as named by the import.
    ///
    /// - Returns: how many of them it had not named before.
    func name(products: [String], in id: String) throws -> Int
    func save(_ entries: [CatalogEntry], revision: Int64) throws
    /// Writes the variants; those that are new get a row of stock with the units that the feed names.
    func save(_ variants: [DraftVariant], revision: Int64, at: Date) throws
    func addCategories(_ names: [String: String]) throws
    /// Notes what is to change when the import is published; a change with the same key is replaced.
    func note(_ changes: [String: CatalogChange], for id: String) throws
    /// Takes over staged files of a few megabytes.
    ///
    /// - Returns: how many are new or differ from those that were kept, and whether there are more.
    func publishAssets(id: String) throws -> (changed: Int, isMore: Bool)

    // MARK: Publishing

    /// In the order of their keys.
    func changes(id: String) throws -> [CatalogChange]
    /// - Returns: whether it is new or differs from what was kept.
    func save(_ season: Season) throws -> Bool
    /// - Returns: whether it is new or differs from what was kept.
    func save(_ theme: Theme) throws -> Bool
    /// - Returns: whether it is new or differs from what was kept.
    func saveCategory(id: String, name: String) throws -> Bool
    func promotions() throws -> [CatalogContent.PromotedProduct]
    func replacePromotions(_ promotions: [CatalogContent.PromotedProduct]) throws
    /// Lets the database know how much there is now, before the first who reads it.
    func refreshStatistics() throws
    /// Makes the revision visible.
    func publish(revision: Int64) throws

    // MARK: Afterwards

    /// Sets the units on hand of variants whose figure in the feed differs from the last one, to no less than what
    /// orders hold, so that units sold since do not come back.
    ///
    /// - Returns: the last SKU that was looked at; nil at the end.
    func setStock(revision: Int64, after sku: String, at: Date) throws -> String?
    /// Removes rows that the revision has replaced.
    ///
    /// - Returns: the last id or SKU that was looked at; nil at the end.
    func supersede(revision: Int64, after cursor: String) throws -> String?
    /// Removes some rows of a revision that was not published.
    ///
    /// - Returns: whether there may be more.
    func withdraw(revision: Int64) throws -> Bool
}
