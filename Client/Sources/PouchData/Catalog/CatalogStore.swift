import Foundation
import PouchEntities

/// The catalogue as stored on a device, which can be read without the server.
///
/// A whole catalogue is imported next to the current one, and replaces it in one step:
///
///     let draft = try await store.beginImport()
///     for page in pages { try await store.add(page, to: draft) }
///     try await store.publish(draft, outline, at: now)
public protocol CatalogStore: Sendable {
    // MARK: Import

    /// Starts a catalogue that readers do not see before it is published, and drops an earlier draft.
    func beginImport() async throws(StoreError) -> CatalogDraft
    /// - Throws: `.importEnded`.
    func add(_ products: [Product], to draft: CatalogDraft) async throws(StoreError)
    /// Replaces the catalogue in one step. Parts of the outline that are nil stay.
    ///
    /// - Throws: `.importEnded`.
    func publish(_ draft: CatalogDraft, _ outline: CatalogOutline, at now: Date) async throws(StoreError)
    /// Drops the draft. A draft that has already ended is ignored.
    func abandon(_ draft: CatalogDraft) async throws(StoreError)

    // MARK: Products seen while browsing

    /// Adds products, or replaces those with the same id unless they have a later `updatedAt`.
    func merge(_ products: [Product]) async throws(StoreError)
    /// Replaces the parts that are not nil. The products of promotions are merged.
    func update(_ outline: CatalogOutline) async throws(StoreError)

    // MARK: Reading

    /// One page, by the server's rules except that typos are not forgiven: each word of `search` must match the
    /// beginning of a word. Products whose names match come first. The page size is 50 without a `limit`.
    ///
    /// - Throws: `.listChanged`.
    func products(_ query: ProductQuery) async throws(StoreError) -> ProductPage
    func product(handle: String) async throws(StoreError) -> Product?
    func product(sku: String) async throws(StoreError) -> Product?
    func seasons() async throws(StoreError) -> [Season]
    func themes(season: String?) async throws(StoreError) -> [Theme]
    /// The categories that have products, counted in the store. Until a catalogue is published, those of the outline,
    /// and none for a season, since the few products seen so far say nothing about it.
    func categories(season: String?) async throws(StoreError) -> [PouchEntities.Category]
    /// In the shop's order.
    func promotions() async throws(StoreError) -> [Promotion]
    /// nil until a whole catalogue is published.
    func catalogPublishedAt() async throws(StoreError) -> Date?
}

/// A catalogue that is being imported.
public struct CatalogDraft: Sendable, Hashable {
    public let number: Int64

    public init(number: Int64) {
        self.number = number
    }
}

/// The parts of a catalogue other than its products; nil where they are unknown.
public struct CatalogOutline: Sendable, Equatable {
    public var seasons: [Season]?
    public var themes: [Theme]?
    public var categories: [PouchEntities.Category]?
    public var promotions: [Promotion]?

    public init(
        seasons: [Season]? = nil,
        themes: [Theme]? = nil,
        categories: [PouchEntities.Category]? = nil,
        promotions: [Promotion]? = nil
    ) {
        self.seasons = seasons
        self.themes = themes
        self.categories = categories
        self.promotions = promotions
    }
}
