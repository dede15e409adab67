import Foundation
import PouchEntities

/// The selection of products in a list for administrators.
public struct ProductSelection: Sendable, Equatable {
    /// nil for all.
    public var status: ProductStatus?
    /// A part of the name, handle, style code or a SKU, case-insensitive.
    public var text: String?
    public var category: String?

    public init(status: ProductStatus? = nil, text: String? = nil, category: String? = nil) {
        self.status = status
        self.text = text
        self.category = category
    }
}

extension ManagedProduct {
    /// Whether the text is part of its name, handle, style code or a SKU, case-insensitively.
    package func contains(_ text: String) -> Bool {
        let part = text.lowercased()
        return ([name, handle, details.styleCode ?? ""] + variants.map(\.sku)).contains {
            $0.lowercased().contains(part)
        }
    }
}

/// The products in every status, as administrators change them. All states are those at a time.
public protocol ProductRepository {
    /// - Parameter key: the product's id or handle.
    func product(_ key: String, at: Date) throws -> ManagedProduct?
    /// The products, latest first, after the one with the id.
    func products(_ selection: ProductSelection, after id: String?, limit: Int, at: Date) throws -> [ManagedProduct]
    /// All products in the order of their ids, after the one with the id.
    func all(after id: String, limit: Int, at: Date) throws -> [ManagedProduct]

    /// The names that are handles of products in any status.
    func handles(among names: [String]) throws -> Set<String>
    /// The handle of the product that has or had a handle, as its own or in feeds; nil if only drafts have it. A product
    /// that has the handle in a feed takes precedence over one whose feed handle differs.
    func handle(ofAddress handle: String) throws -> String?
    /// The product with a handle, published or of an unfinished import.
    func owner(ofHandle handle: String) throws -> String?
    /// The products by SKU, including removed variants; unknown SKUs are missing.
    func owners(ofSKUs skus: [String]) throws -> [String: String]
    /// - Parameter stock: the units on hand of the variants.
    func insert(_ product: ManagedProduct, stock: [String: Int]) throws
    /// Writes the differences, under the later version. A revision of an unfinished import gets the same changes, so
    /// that it does not undo them. Its version differs, so no condition names the version: call this in a serializable
    /// transaction that has read the product.
    ///
    /// - Parameter stock: the units on hand of new variants.
    func update(_ before: ManagedProduct, to after: ManagedProduct, stock: [String: Int]) throws

    /// The next time at which a status changes as scheduled.
    func nextChange() throws -> Date?
    /// The ids of products with a scheduled status change that is due and not stored yet, at most `limit`.
    func due(at: Date, limit: Int) throws -> [String]
    /// Stores the status that a product has at a time. Returns the product if its status changed.
    func settle(id: String, at: Date) throws -> ManagedProduct?

    /// The SKUs that the shop has, but that are removed or belong to a product that is not published.
    func notForSale(skus: [String], at: Date) throws -> [String]
}

/// The parts of the catalogue that products belong to, and the front page.
public protocol TaxonomyRepository {
    /// The categories with the number of products in every status, for which all products are read.
    func categories() throws -> [PouchEntities.Category]
    /// The names in the order of their ids.
    func categoryNames() throws -> [CategoryName]
    /// The category with the number of its products, for which all products are read.
    func category(id: String) throws -> PouchEntities.Category?
    func seasons() throws -> [Season]
    func themes() throws -> [Theme]
    func promotions(at: Date) throws -> [ManagedPromotion]

    /// Whether the shop has the part.
    func has(_ part: CatalogPart, id: String) throws -> Bool

    func setCategory(id: String, name: String) throws
    func set(_ season: Season) throws
    func set(_ theme: Theme) throws
    func setPromotions(_ promotions: [CatalogContent.PromotedProduct]) throws
    /// Whether a product in any status belongs to the part.
    func isUsed(_ part: CatalogPart, id: String) throws -> Bool
    /// The ids of the parts of a kind to which products in any status belong.
    func used(_ part: CatalogPart) throws -> Set<String>
    func delete(_ part: CatalogPart, id: String) throws
}

/// A category without the number of its products.
public struct CategoryName: Sendable, Equatable {
    public let id: String
    public let name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// A part of the catalogue.
public enum CatalogPart: Sendable, CaseIterable {
    case category
    case season
    case theme
}
