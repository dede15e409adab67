import Foundation
import PouchEntities
import PouchJSON
import PouchWire

/// A shop's data on a device: catalogue, carts, orders, and writes with an unknown outcome.
///
/// One store belongs to one server. Carts, orders and writes belong to an owner, which is an account's id or a guest's
/// session id, and are never returned to another owner except by `handOver`.
public protocol LocalStore: CatalogStore, PurchaseStore, PendingWriteStore {
    /// Removes everything that belongs to the owner; the catalogue remains.
    func removeEverything(of owner: String) async throws(StoreError)
    /// Gives the unsent writes of some kinds to another owner, and removes everything else of the first one. A write
    /// that may have taken effect is not sent again, because its key is not valid for another owner; such a purchase is
    /// handed over without its body, only to be reported.
    func handOver(_ kinds: Set<PendingWrite.Kind>, from old: String, to new: String) async throws(StoreError)
}

/// The reason why the local store failed.
public struct StoreError: Error, Sendable, Equatable {
    public enum Reason: Sendable, Equatable {
        /// The file cannot be opened, read or written: a full disk, missing permission, or a disk that fails.
        case unavailable
        /// The file's content was not written by this store. Opening it again moves it aside.
        case damaged
        /// A later version wrote the file, which is left unchanged.
        case newerVersion
        /// The cursor belongs to another query or an earlier catalogue: read the list from its first page.
        case listChanged
        /// Another import has started since, or this one was published or abandoned.
        case importEnded
    }

    public let reason: Reason
    /// One line for logs, without secrets.
    public let log: String

    public init(_ reason: Reason, log: String = "") {
        self.reason = reason
        self.log = log
    }
}

extension StoreError: CustomStringConvertible {
    public var description: String { log.isEmpty ? "\(reason)" : "\(reason) (\(log))" }
}

/// The catalogue as stored on a device, which can be read without the server.
///
/// A whole catalogue is imported next to the current one, and replaces it in one step:
///
///     let draft = try await store.beginImport()
///     for page in pages { try await store.add(page, to: draft) }
///     try await store.publish(draft, taxonomy, at: now)
public protocol CatalogStore: Sendable {
    // MARK: Import

    /// Starts a catalogue that is not visible until it is published. An earlier unpublished draft is discarded, also
    /// one of an earlier process.
    func beginImport() async throws(StoreError) -> CatalogDraft
    /// Adds products. One with the id or the handle of an earlier one replaces it. Throws `.importEnded`.
    func add(_ products: [Product], to draft: CatalogDraft) async throws(StoreError)
    /// Replaces the catalogue, products and taxonomy, in one step. Parts of the taxonomy that are nil do not change.
    /// Throws `.importEnded`.
    func publish(_ draft: CatalogDraft, _ taxonomy: CatalogTaxonomy, at now: Date) async throws(StoreError)
    /// Discards the draft. A draft that has already ended is ignored.
    func abandon(_ draft: CatalogDraft) async throws(StoreError)

    // MARK: Products seen while browsing

    /// Adds products to the current catalogue. One with the id of an earlier one replaces it, unless the earlier one
    /// has a later `updatedAt`.
    func merge(_ products: [Product]) async throws(StoreError)
    /// Replaces the parts that are not nil. The products of promotions are merged.
    func update(_ taxonomy: CatalogTaxonomy) async throws(StoreError)

    // MARK: Reading

    /// One page, by the server's rules except that typos are not allowed: each word of `search` must match the
    /// beginning of a word. Products whose names match come first. The page size is 50 without a `limit`. Throws
    /// `.listChanged`.
    func products(_ query: ProductQuery) async throws(StoreError) -> ProductPage
    func product(handle: String) async throws(StoreError) -> Product?
    /// The product that has a variant with the SKU.
    func product(sku: String) async throws(StoreError) -> Product?
    func seasons() async throws(StoreError) -> [Season]
    /// The themes of a season; nil for all.
    func themes(season: String?) async throws(StoreError) -> [Theme]
    /// The categories that have products in a season, or in any for nil, with the numbers of stored products. Until a
    /// catalogue is published, those of the taxonomy, and none for a season, because the few products seen so far say
    /// nothing about it.
    func categories(season: String?) async throws(StoreError) -> [PouchEntities.Category]
    /// The promotions in the shop's order, each with its product as stored in the catalogue. A promotion without one is
    /// omitted.
    func promotions() async throws(StoreError) -> [Promotion]
    /// The date when the catalogue was published; nil until a complete catalogue has been published.
    func catalogPublishedAt() async throws(StoreError) -> Date?
}

/// A catalogue that is being imported.
public struct CatalogDraft: Sendable, Hashable {
    /// The store's own number for it.
    public let number: Int64

    public init(number: Int64) {
        self.number = number
    }
}

/// The parts of a catalogue other than its products; nil if unknown.
public struct CatalogTaxonomy: Sendable, Equatable {
    public var seasons: [Season]?
    public var themes: [Theme]?
    public var categories: [PouchEntities.Category]?
    public var promotions: [Promotion]?

    public init(
        seasons: [Season]? = nil, themes: [Theme]? = nil, categories: [PouchEntities.Category]? = nil,
        promotions: [Promotion]? = nil
    ) {
        self.seasons = seasons
        self.themes = themes
        self.categories = categories
        self.promotions = promotions
    }
}

/// Carts and orders by owner, as last received from the server.
public protocol PurchaseStore: Sendable {
    func cart(of owner: String) async throws(StoreError) -> Dated<Cart>?
    /// Saves the cart and its `asOf`. nil removes it; an earlier version of the stored cart is ignored.
    func save(_ cart: Dated<Cart>?, of owner: String) async throws(StoreError)

    /// A page of the owner's stored orders, newest first. The page size is 50 without a `limit`. Throws `.listChanged`.
    func orders(of owner: String, limit: Int?, cursor: String?) async throws(StoreError) -> Page<Order>
    func order(id: String, of owner: String) async throws(StoreError) -> Order?
    /// Adds orders, or replaces those with the same ids.
    func save(_ orders: [Order], of owner: String) async throws(StoreError)
}

/// An order's position in a list, newest first. A cursor is the position of a page's last order.
public struct OrderPosition: JSONModel, Equatable {
    public let createdAt: Date
    public let id: String

    public static let json = JSONObject(
        OrderPosition.init(createdAt:id:), .field("createdAt", \.createdAt), .field("id", \.id))
}

extension OrderPosition {
    public init(_ order: Order) {
        self.init(createdAt: order.createdAt, id: order.id)
    }

    /// The position after which a page starts; nil for the first page.
    ///
    /// - Throws: `.listChanged` for a text that is not a cursor.
    public init?(cursor: String?) throws(StoreError) {
        guard let cursor else { return nil }
        guard let data = Data(base64URL: cursor), let position = try? Self(json: data) else {
            throw StoreError(.listChanged)
        }
        self = position
    }

    /// The cursor of the page that starts after this position.
    public var cursor: String? { try? self.json().base64URL }

    func precedes(_ other: OrderPosition) -> Bool {
        createdAt == other.createdAt ? id > other.id : createdAt > other.createdAt
    }
}
