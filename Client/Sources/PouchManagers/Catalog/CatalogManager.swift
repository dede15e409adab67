import Foundation
import PouchData
import PouchEntities

/// Shows the catalogue, of a server or of a feed. What changes seldom is answered from memory or the local store at once
/// and read anew when it is stale; while the shop cannot be reached, all is answered as far as it is known here.
///
/// To have the whole catalogue without the shop, with filters and search, call `keepImported` in the background after the
/// start. Where nobody does, a server's seasons, themes, categories, promotions and each product that was opened are kept in
/// the store, and the lists that were looked at in the client's cache; any other list is an error while the shop
/// is away. Lists do not go into the store: it would pass off a few products as all, at the price of a write for each page.
public actor CatalogManager {
    private let data: DataManager
    private let freshness: Freshness
    private let time: CatalogTime
    private let source: any CatalogSource

    private nonisolated var store: any CatalogStore { data.store }

    private nonisolated let importing: CurrentValue<CatalogImportProgress?>
    private nonisolated let imported: RefreshedValue<Date>
    private nonisolated let seasonList: RefreshedValue<[Season]>
    private nonisolated let promotionList: RefreshedValue<[Promotion]>
    /// By season; of all under nil.
    private var themeLists: [String?: RefreshedValue<[Theme]>] = [:]
    private nonisolated let categoryList: RefreshedValue<[PouchEntities.Category]>
    private var categoryLists: [String: RefreshedValue<[PouchEntities.Category]>] = [:]
    /// Those that somebody follows.
    private var listings: [Listing] = []

    private struct Listing {
        weak var value: RefreshedValue<ProductPage>?
    }

    /// The clock measures the waits of those who follow; `random`, in 0..<1, spreads what is tried again.
    public init(
        data: DataManager,
        freshness: Freshness = Freshness(),
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.data = data
        let store = data.store
        self.freshness = freshness
        let time = CatalogTime(now: now, clock: clock, random: random)
        self.time = time
        let importing = CurrentValue<CatalogImportProgress?>(nil)
        self.importing = importing
        let importer = CatalogImporter(data: data, now: now) { importing.set($0) }
        let observer = ImportObserver()
        let imported = RefreshedValue<Date>(
            freshFor: freshness.catalog, retry: freshness, time: time,
            stored: {
                guard let at = try? await store.catalogPublishedAt() else { return nil }
                return CatalogState(value: at, asOf: at)
            },
            read: { () throws(DataError) in try await importer.run() },
            refreshed: { observer.tell() })
        self.imported = imported
        let source: any CatalogSource =
            data.readsFeed
            ? ImportedCatalog(data: data, imported: imported) : ServerCatalog(data: data)
        self.source = source
        seasonList = RefreshedValue(
            freshFor: freshness.catalog, retry: freshness, time: time,
            stored: { await Self.known(in: store) { () throws(StoreError) in try await store.seasons() } },
            read: { () throws(DataError) in try await source.seasons() })
        categoryList = RefreshedValue(
            freshFor: freshness.catalog, retry: freshness, time: time,
            stored: {
                await Self.known(in: store) { () throws(StoreError) in try await store.categories(season: nil) }
            },
            read: { () throws(DataError) in try await source.categories(season: nil) })
        promotionList = RefreshedValue(
            freshFor: freshness.promotions, retry: freshness, time: time,
            stored: {
                let known = await Self.known(in: store) { () throws(StoreError) in try await store.promotions() }
                // They are no part of a feed's import, so that when they were read is not known.
                return known.map { data.readsFeed ? CatalogState(value: $0.value) : $0 }
            },
            read: { () throws(DataError) in try await source.promotions() })
        observer.set { [weak self] in
            guard let self else { return }
            Task { await self.tellOfImport() }
        }
    }

    /// The seasons that are on.
    public func seasons() async throws(DataError) -> [Season] { try await seasonList.value().value }

    /// The themes of a season; nil for all.
    public func themes(season: String? = nil) async throws(DataError) -> [Theme] {
        try await themeList(season).value().value
    }

    /// The categories of a season; nil for all.
    public func categories(season: String? = nil) async throws(DataError) -> [PouchEntities.Category] {
        try await categoryList(season).value().value
    }

    /// What the shop shows first, in its order.
    public func promotions() async throws(DataError) -> [Promotion] { try await promotionList.value().value }

    /// One page; its `nextCursor` in the query gives the next.
    public nonisolated func products(_ query: ProductQuery = ProductQuery()) async throws(DataError) -> ProductPage {
        try await listing(query).value
    }

    /// - Throws: `.notFound`.
    public nonisolated func product(handle: String) async throws(DataError) -> Product {
        try await details(handle: handle).value
    }

    /// The same as `products`, with from when it is where the shop cannot be reached. A cursor is of the shop or of what is
    /// kept here; where that changes between two pages, this throws `.listChanged`.
    public nonisolated func listing(
        _ query: ProductQuery = ProductQuery()
    ) async throws(DataError) -> Dated<ProductPage> {
        try await source.listing(query)
    }

    /// The same as `product`, with from when it is where the shop cannot be reached.
    public nonisolated func details(handle: String) async throws(DataError) -> Dated<Product> {
        try await source.product(handle: handle)
    }

    /// Exact figures, for 1 to 100 SKUs.
    public nonisolated func availability(of skus: [String]) async throws(DataError) -> [Availability] {
        try await data.availability(of: skus).items
    }

    // MARK: Following

    /// The promotions as they are known, and again after each refresh. While somebody follows they are kept fresh.
    public nonisolated func promotionStates() -> AsyncStream<CatalogState<[Promotion]>> { promotionList.states() }

    public nonisolated func seasonStates() -> AsyncStream<CatalogState<[Season]>> { seasonList.states() }

    /// The categories of a season; nil for all.
    public func categoryStates(season: String? = nil) -> AsyncStream<CatalogState<[PouchEntities.Category]>> {
        categoryList(season).states()
    }

    /// One page of products, and again after each refresh.
    public func listingStates(_ query: ProductQuery = ProductQuery()) -> AsyncStream<CatalogState<ProductPage>> {
        let listing = RefreshedValue<ProductPage>(
            freshFor: freshness.catalog, retry: freshness, time: time,
            stored: { [store] in
                guard let at = try? await store.catalogPublishedAt() else { return nil }
                return (try? await store.products(query)).map { CatalogState(value: $0, asOf: at) }
            },
            read: { [source] () throws(DataError) in try await source.listing(query) })
        listings.removeAll { $0.value == nil }
        listings.append(Listing(value: listing))
        return listing.states()
    }

    /// Reads now what could not be read when it was due, without waiting for the next try; returns when that has ended.
    public func retry() async {
        async let seasons: Void = seasonList.retry()
        async let promotions: Void = promotionList.retry()
        await categoryList.retry()
        for list in categoryLists.values { await list.retry() }
        for list in themeLists.values { await list.retry() }
        _ = await (seasons, promotions)
    }

    // MARK: The whole catalogue

    /// Imports the whole catalogue, to be read and searched without the shop; it takes the place of the earlier one in one
    /// step. All who ask for it at the same time share one import.
    ///
    /// A server is asked for the catalogue as a whole only by this and `keepImported`, a feed by every read.
    ///
    /// - Throws: what kept it; the earlier catalogue is there then.
    public func refresh() async throws(DataError) {
        let imported = try await imported.refresh()
        if let staleness = imported.staleness { throw staleness.cause }
    }

    /// Sees to it that the whole catalogue is here: imports it where it is not, and, behind the caller's back, where what
    /// is here is stale.
    public func keepImported() async throws(DataError) { _ = try await imported.value() }

    /// When the whole catalogue was imported; nil where it was not.
    public func importedAt() async -> Date? { try? await store.catalogPublishedAt() }

    /// How far the import has come that is under way; nil while there is none.
    public nonisolated func importProgress() -> AsyncStream<CatalogImportProgress?> { importing.values() }

    private func tellOfImport() async {
        await seasonList.invalidate()
        await promotionList.invalidate()
        await categoryList.invalidate()
        for list in themeLists.values { await list.invalidate() }
        for list in categoryLists.values { await list.invalidate() }
        for listing in listings { await listing.value?.invalidate() }
    }

    private func themeList(_ season: String?) -> RefreshedValue<[Theme]> {
        if let list = themeLists[season] { return list }
        let list = RefreshedValue<[Theme]>(
            freshFor: freshness.catalog, retry: freshness, time: time,
            stored: { [store] in
                await Self.known(in: store) { () throws(StoreError) in try await store.themes(season: season) }
            },
            read: { [source] () throws(DataError) in try await source.themes(season: season) })
        themeLists[season] = list
        return list
    }

    private func categoryList(_ season: String?) -> RefreshedValue<[PouchEntities.Category]> {
        guard let season else { return categoryList }
        if let list = categoryLists[season] { return list }
        let list = RefreshedValue<[PouchEntities.Category]>(
            freshFor: freshness.catalog, retry: freshness, time: time,
            stored: { [store] in
                await Self.known(in: store) { () throws(StoreError) in try await store.categories(season: season) }
            },
            read: { [source] () throws(DataError) in try await source.categories(season: season) })
        categoryLists[season] = list
        return list
    }

    /// A list of the store; one without rows says nothing.
    private static func known<Item>(
        in store: any CatalogStore, _ read: () async throws(StoreError) -> [Item]
    ) async -> CatalogState<[Item]>? {
        guard let items = try? await read(), !items.isEmpty else { return nil }
        return CatalogState(value: items, asOf: try? await store.catalogPublishedAt())
    }
}
