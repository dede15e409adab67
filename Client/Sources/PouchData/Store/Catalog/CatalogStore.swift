import Foundation
import PouchEntities

/// The catalogue as it is kept on a device, to be read without the server.
///
/// A whole catalogue is imported beside the one that is read, and takes its place in one step:
///
///     let draft = try await store.beginImport()
///     for page in pages { try await store.add(page, to: draft) }
///     try await store.publish(draft, outline, at: now)
public protocol CatalogStore: Sendable {
    // MARK: Import

    /// Begins a catalogue that nobody sees before it is published. An earlier one that was not published is dropped, as
    /// is one of an earlier process.
    func beginImport() async throws(StoreError) -> CatalogDraft
    /// Adds products; one with the id or the handle of an earlier one takes its place.
    ///
    /// - Throws: `.importEnded`.
    func add(_ products: [Product], to draft: CatalogDraft) async throws(StoreError)
    /// Puts the draft in the place of the catalogue, products and outline in one step. What is nil in the outline stays.
    ///
    /// - Throws: `.importEnded`.
    func publish(_ draft: CatalogDraft, _ outline: CatalogOutline, at now: Date) async throws(StoreError)
    /// Drops the draft; one that has ended already is left alone.
    func abandon(_ draft: CatalogDraft) async throws(StoreError)

    // MARK: What is seen while browsing

    /// Puts products into the catalogue as it is, or in the place of those that it has, except where those are later by
    /// `updatedAt`.
    func merge(_ products: [Product]) async throws(StoreError)
    /// Replaces what is not nil. The products of promotions are merged.
    func update(_ outline: CatalogOutline) async throws(StoreError)

    // MARK: Reading

    /// One page, by the rules of the server, except that typos are not forgiven: each word of `search` must match a word's
    /// beginning, and a product whose name matches comes before one whose other texts do. Without a `limit`, 50.
    ///
    /// - Throws: `.listChanged`.
    func products(_ query: ProductQuery) async throws(StoreError) -> ProductPage
    func product(handle: String) async throws(StoreError) -> Product?
    /// The product that has a variant with the SKU.
    func product(sku: String) async throws(StoreError) -> Product?
    func seasons() async throws(StoreError) -> [Season]
    /// The themes of a season; nil for all.
    func themes(season: String?) async throws(StoreError) -> [Theme]
    /// With the numbers of products that are here, once a catalogue was published; those of a season that have any, or
    /// all. Before that those of the outline, and none of a season: the few products that are here say nothing of it.
    func categories(season: String?) async throws(StoreError) -> [PouchEntities.Category]
    /// In the shop's order, each with its product as the catalogue has it.
    func promotions() async throws(StoreError) -> [Promotion]
    /// When the catalogue was published; nil while there is none as a whole.
    func catalogPublishedAt() async throws(StoreError) -> Date?
}
