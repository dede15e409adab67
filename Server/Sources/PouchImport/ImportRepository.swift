import Foundation
import PouchDomain
import PouchEntities
import PouchFeed
import PouchJSON

/// A store whose transactions have the repository of imports.
public protocol ImportStore: Store where Transaction: ImportRepositories {}

/// A transaction that has the repository of imports.
public protocol ImportRepositories: Repositories {
    var imports: any ImportRepository { get }
}

/// The repository of imports, their staging area, and the catalogue as imports change it.
public protocol ImportRepository {
    // MARK: Imports

    func create(_ record: ImportRecord, at: Date) throws
    func record(id: String) throws -> ImportRecord?
    /// - Returns: false, without writing, if the import has ended.
    @discardableResult
    func save(_ record: ImportRecord, at: Date) throws -> Bool
    /// The oldest import that was received and has not ended.
    func unfinished() throws -> String?
    /// The last activity of the import that has been inactive longest while being received.
    func leastActive() throws -> Date?
    /// Imports being received that have not been active since a time.
    func abandoned(before: Date) throws -> [ImportRecord]
    /// Stores errors and notes.
    func add(_ reports: [(place: Int, report: FeedRowError)], to id: String) throws
    /// Errors and notes in the order of the feed's lines.
    func reports(id: String) throws -> [FeedRowError]
    /// Deletes ended imports that began before a time.
    func purge(before: Date) throws

    func lease() throws -> ImportLease
    /// Takes the lease if it is free, or if it belongs to the same import and was left or has expired; returns whether
    /// it was taken.
    func takeLease(of id: String, for holder: String, until: Date, at: Date) throws -> Bool
    /// - Returns: false when the holder has lost the lease.
    func renewLease(of id: String, for holder: String, until: Date) throws -> Bool
    /// Lets another worker continue the import.
    func leaveLease(of id: String, holder: String) throws
    /// Lets another import begin.
    func endLease(of id: String) throws

    // MARK: Staging

    /// - Returns: false when the import is not being received.
    func touch(id: String, at: Date) throws -> Bool
    func stage(id: String, records: [StagedRecord], from position: Int) throws
    func stage(id: String, asset: StoredAsset) throws
    /// The records after a position, in order.
    func staged(id: String, after position: Int, limit: Int) throws -> [(position: Int, record: StagedRecord)]
    func removeStaged(id: String, upTo position: Int) throws
    /// Deletes some of the staged records, files and changes; returns whether there may be more.
    func tidy(id: String) throws -> Bool

    // MARK: A revision

    /// Returns a new number, greater than all previous ones.
    func nextRevision() throws -> Int64
    /// The latest revisions of the products with one of the handles, feed handles or style codes.
    func entries(handles: [String], feedHandles: [String], styleCodes: [String], revision: Int64) throws -> [FoundEntry]
    /// The product ids by SKU; unknown SKUs are missing.
    func productIds(skus: [String]) throws -> [String: String]
    func categoryNames(ids: [String]) throws -> [String: String]
    /// Records that the import has named the products; returns how many of them are new to it.
    func name(products: [String], in id: String) throws -> Int
    /// Keeps other transactions from changing products until this one ends.
    func lockCatalog() throws
    /// The versions of the products in their latest revisions; unknown products are missing.
    func versions(ids: [String]) throws -> [String: Int]
    func handlesInUse(_ handles: [String]) throws -> Set<String>
    func save(_ entries: [(CatalogEntry, ProductState)], revision: Int64) throws
    /// Writes the variants; new ones get the stock in the feed.
    func save(_ variants: [DraftVariant], revision: Int64, at: Date) throws
    func addCategories(_ names: [String: String]) throws
    /// Stores changes for publishing; replaces a change with the same key.
    func note(_ changes: [String: CatalogChange], for id: String) throws
    /// Publishes staged files of a few megabytes.
    ///
    /// - Returns: the number of files that are new or differ from the stored ones, and whether there may be more.
    func publishAssets(id: String) throws -> (changed: Int, isMore: Bool)

    // MARK: Publishing

    /// The changes in the order of their keys.
    func changes(id: String) throws -> [CatalogChange]
    /// - Returns: whether it is new or differs from the stored one.
    func save(_ season: Season) throws -> Bool
    /// - Returns: whether it is new or differs from the stored one.
    func save(_ theme: Theme) throws -> Bool
    /// - Returns: whether it is new or differs from the stored one.
    func saveCategory(id: String, name: String) throws -> Bool
    func promotions() throws -> [CatalogContent.PromotedProduct]
    func replacePromotions(_ promotions: [CatalogContent.PromotedProduct]) throws
    /// Updates the planner's statistics before customers read the revision.
    func refreshStatistics() throws
    /// Makes the revision visible.
    func publish(revision: Int64) throws

    // MARK: After publishing

    /// Sets the stock of variants whose quantity in the feed differs from the last import, but not below what orders
    /// hold; units sold since are not restored. Returns the last SKU of the batch; nil at the end.
    func setStock(revision: Int64, after sku: String, at: Date) throws -> String?
    /// Deletes rows that the revision has replaced; returns the last id or SKU of the batch, nil at the end.
    func supersede(revision: Int64, after cursor: String) throws -> String?
    /// Deletes some rows of a revision that was not published; returns whether there may be more.
    func withdraw(revision: Int64) throws -> Bool
}

/// A staged record of a feed.
public enum StagedRecord: Sendable, Equatable {
    case season(Season)
    case theme(Theme)
    case product(FeedProduct)
    case promotion(FeedPromotion)
}

extension StagedRecord: JSONCodable {
    public init(reading json: inout JSONReader) throws(JSONError) {
        self = try json.choice { (json, name) throws(JSONError) in
            switch name {
            case "season": .season(try json.associatedValue())
            case "theme": .theme(try json.associatedValue())
            case "product": .product(try json.associatedValue())
            case "promotion": .promotion(try json.associatedValue())
            default: nil
            }
        }
    }

    public func write(to json: inout JSONWriter) {
        switch self {
        case .season(let season): json.choice("season", season)
        case .theme(let theme): json.choice("theme", theme)
        case .product(let product): json.choice("product", product)
        case .promotion(let promotion): json.choice("promotion", promotion)
        }
    }

    public static var jsonShape: JSONShape { .any }
}

/// A change of something other than products, applied when the import is published.
public enum CatalogChange: Sendable, Equatable {
    case season(Season)
    case theme(Theme)
    case category(id: String, name: String)
    case promotion(CatalogContent.PromotedProduct)
}

extension CatalogChange: JSONCodable {
    private struct Category: JSONModel {
        let id: String
        let name: String
        static let json = JSONObject(Category.init, .field("id", \.id), .field("name", \.name))
    }

    public init(reading json: inout JSONReader) throws(JSONError) {
        self = try json.choice { (json, name) throws(JSONError) in
            switch name {
            case "season": return .season(try json.associatedValue())
            case "theme": return .theme(try json.associatedValue())
            case "category":
                let category = try Category(reading: &json)
                return .category(id: category.id, name: category.name)
            case "promotion": return .promotion(try json.associatedValue())
            default: return nil
            }
        }
    }

    public func write(to json: inout JSONWriter) {
        switch self {
        case .season(let season): json.choice("season", season)
        case .theme(let theme): json.choice("theme", theme)
        case .category(let id, let name): json.choice("category", fields: Category(id: id, name: name))
        case .promotion(let promotion): json.choice("promotion", promotion)
        }
    }

    public static var jsonShape: JSONShape { .any }
}

/// A product in its latest revision, published or the import's own.
public struct FoundEntry: Sendable {
    public let entry: CatalogEntry
    public let revision: Int64
    public let version: Int
    public let state: ProductState
    /// The variants that exist only in the import's own revision.
    public let unpublishedSKUs: Set<String>
    /// The removed variants, which the entry does not have.
    public let removedSKUs: Set<String>

    public init(
        entry: CatalogEntry, revision: Int64, version: Int, state: ProductState, unpublishedSKUs: Set<String>,
        removedSKUs: Set<String>
    ) {
        self.entry = entry
        self.revision = revision
        self.version = version
        self.state = state
        self.removedSKUs = removedSKUs
        self.unpublishedSKUs = unpublishedSKUs
    }
}

/// A variant that an import writes.
public struct DraftVariant: Sendable {
    public let variant: CatalogEntry.Variant
    public let productId: String
    /// The place among the product's variants, from 0.
    public let position: Int
    /// Whether no published revision has the variant, so that it cannot have been sold yet.
    public let isNew: Bool
}
