import Foundation
import PouchData
import PouchEntities

/// The catalogue of a server or a feed: seasons, themes, categories, promotions and products.
///
/// Lists that rarely change are returned from memory or the local store immediately, and refreshed when they are stale.
/// While the shop cannot be reached, this device returns what it has: seasons, themes, categories, promotions and
/// opened products from the local store, and product lists that were read before from the client's cache. For filters
/// and search without the shop, keep `keepImported` running in the background.
///
///     let page = try await pouch.catalog.products(ProductQuery(inStock: true, search: "cardigan"))
///     for product in page.items { print(product.name, product.price.decimal) }
public actor CatalogManager {
    private let data: DataManager
    // Product lists are not stored: a store with a few products would present them as all, and each page would cost a
    // write.
    private let catalog: ImportedCatalog

    private nonisolated let importing: CurrentValue<CatalogImportProgress?>
    private nonisolated let seasonList: RefreshedValue<[Season]>
    private nonisolated let promotionList: RefreshedValue<[Promotion]>
    /// By season; nil for all seasons.
    private var categoryLists: [String?: RefreshedValue<[PouchEntities.Category]>] = [:]
    private var themeLists: [String?: RefreshedValue<[Theme]>] = [:]
    private var productLists: [ProductList] = []

    /// A list that exists as long as it has subscribers.
    private struct ProductList {
        weak var value: RefreshedValue<ProductPage>?
    }

    /// - Parameters:
    ///   - clock: measures the pauses between refreshes.
    ///   - random: returns a number in 0..<1, which varies the pauses after failures.
    public init(
        data: DataManager,
        freshness: Freshness = Freshness(),
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.data = data
        let timing = RefreshTiming(freshness: freshness, now: now, clock: clock, random: random)
        let importing = CurrentValue<CatalogImportProgress?>(nil)
        self.importing = importing
        let shop = data.catalog()
        let imported = RefreshedValue<Date>(
            freshFor: freshness.catalog, timing,
            stored: { await shop.importedAt().map { Dated($0, asOf: $0) } },
            read: { () throws(DataError) in
                try await shop.importAll(at: now()) { progress in importing.set(progress) }
            })
        let catalog = ImportedCatalog(shop: shop, timing: timing, imported: imported)
        self.catalog = catalog
        seasonList = catalog.list(
            stored: { await $0.storedSeasons() }, read: { shop throws(DataError) in try await shop.seasons() })
        promotionList = RefreshedValue(
            freshFor: freshness.promotions, timing,
            stored: { await shop.storedPromotions() },
            read: { () throws(DataError) in try await catalog.promotions() })
        let imports = catalog.imported.refreshes()
        Task { [weak self] in
            for await _ in imports { await self?.invalidateLists() }
        }
    }

    /// - Throws: `.notOffered` for a catalogue without a server.
    public func shop() async throws(DataError) -> ShopProfile { try await data.shop() }

    public func seasons() async throws(DataError) -> [Season] { try await seasonList.value().value }

    /// - Parameter season: nil for the themes of all seasons.
    public func themes(season: String? = nil) async throws(DataError) -> [Theme] {
        try await themeList(season).value().value
    }

    /// - Parameter season: nil for the categories of all seasons.
    public func categories(season: String? = nil) async throws(DataError) -> [PouchEntities.Category] {
        try await categoryList(season).value().value
    }

    /// The promotions, in the shop's order.
    public func promotions() async throws(DataError) -> [Promotion] { try await promotionList.value().value }

    /// One page of products, with its age if the shop cannot be reached. Pass its `nextCursor` in the query to read the
    /// next page.
    ///
    /// - Throws: `.listChanged` for a cursor of a catalogue that has been replaced since, by an import or because the
    ///   shop became unreachable between two pages.
    public nonisolated func products(
        _ query: ProductQuery = ProductQuery()
    ) async throws(DataError) -> Dated<ProductPage> {
        try await catalog.read { shop throws(DataError) in try await shop.products(query) }
    }

    /// All products of a query, read page by page. The query's cursor is ignored. While the shop cannot be reached,
    /// they may come from this device; `pages` reports their age.
    public nonisolated func all(_ query: ProductQuery = ProductQuery()) -> AllPages<Product> {
        AllPages { [self] cursor throws(DataError) in
            var query = query
            query.cursor = cursor
            let page = try await products(query)
            return (page.map(\.items), page.nextCursor)
        }
    }

    /// A product, with its age if the shop cannot be reached.
    ///
    /// - Throws: `.notFound`.
    public nonisolated func product(handle: String) async throws(DataError) -> Dated<Product> {
        try await catalog.read { shop throws(DataError) in try await shop.product(handle: handle) }
    }

    /// Exact stock figures for 1 to 100 SKUs of the shop's server.
    public nonisolated func availability(of skus: [String]) async throws(DataError) -> [Availability] {
        try await data.availability(of: skus).items
    }

    /// The product with the current prices and stock of its first 100 variants. The product itself may come from a
    /// cache or an import.
    public nonisolated func withExactStock(_ product: Product) async throws(DataError) -> Product {
        let skus = product.variants.prefix(100).map(\.sku)
        return skus.isEmpty ? product : product.with(try await availability(of: skus))
    }

    // MARK: Subscriptions

    /// The promotions, nil while unknown, and again after each refresh. While there are subscribers, they are kept
    /// fresh, and failed refreshes are repeated. The other states work in the same way.
    public nonisolated func promotionStates() -> AsyncStream<Dated<[Promotion]?>> { promotionList.states() }

    public nonisolated func seasonStates() -> AsyncStream<Dated<[Season]?>> { seasonList.states() }

    /// - Parameter season: nil for the categories of all seasons.
    public func categoryStates(season: String? = nil) -> AsyncStream<Dated<[PouchEntities.Category]?>> {
        categoryList(season).states()
    }

    /// One page of products, and again after each refresh.
    public func productStates(_ query: ProductQuery = ProductQuery()) -> AsyncStream<Dated<ProductPage?>> {
        let list = catalog.list(
            stored: { await $0.storedProducts(query) },
            read: { shop throws(DataError) in try await shop.products(query) })
        productLists.removeAll { $0.value == nil }
        productLists.append(ProductList(value: list))
        return list.states()
    }

    /// Repeats failed refreshes now, without waiting for the next attempt. Returns when they have ended.
    public func retry() async {
        async let seasons: Void = seasonList.retry()
        async let promotions: Void = promotionList.retry()
        for list in categoryLists.values { await list.retry() }
        for list in themeLists.values { await list.retry() }
        _ = await (seasons, promotions)
    }

    // MARK: The whole catalogue

    /// Imports the whole catalogue for use without the shop. It replaces the earlier import in one step. Concurrent
    /// callers share one import. Only this method and `keepImported` request the whole catalogue from a server; a feed
    /// is read as a whole for every read.
    ///
    /// - Throws: the reason why the import failed. The earlier catalogue remains.
    public func refresh() async throws(DataError) {
        let imported = try await catalog.imported.refresh()
        if let failure = imported.failure { throw failure }
    }

    /// Imports the whole catalogue whenever it is missing or stale, until the task is cancelled. A failed import is
    /// repeated.
    ///
    /// - Parameter interval: the time between freshness checks, which send no request while the import is fresh.
    public func keepImported(every interval: Duration = .seconds(600)) async {
        repeat {
            _ = try? await catalog.imported.value()
        } while (try? await catalog.timing.clock.sleep(for: interval)) != nil
    }

    /// The time of the last import of the whole catalogue; nil without one.
    public func importedAt() async -> Date? { await catalog.shop.importedAt() }

    /// The progress of the import under way, and again after each change; nil while there is none.
    public nonisolated func importProgress() -> AsyncStream<CatalogImportProgress?> { importing.values() }

    private func invalidateLists() async {
        await seasonList.invalidate()
        await promotionList.invalidate()
        for list in themeLists.values { await list.invalidate() }
        for list in categoryLists.values { await list.invalidate() }
        for list in productLists { await list.value?.invalidate() }
    }

    // MARK: Lists by season

    private func themeList(_ season: String?) -> RefreshedValue<[Theme]> {
        let list =
            themeLists[season]
            ?? catalog.list(
                stored: { await $0.storedThemes(season: season) },
                read: { shop throws(DataError) in try await shop.themes(season: season) })
        themeLists[season] = list
        return list
    }

    private func categoryList(_ season: String?) -> RefreshedValue<[PouchEntities.Category]> {
        let list =
            categoryLists[season]
            ?? catalog.list(
                stored: { await $0.storedCategories(season: season) },
                read: { shop throws(DataError) in try await shop.categories(season: season) })
        categoryLists[season] = list
        return list
    }
}

/// The catalogue, imported before it is read if its source requires that.
private struct ImportedCatalog: Sendable {
    let shop: ShopCatalog
    let timing: RefreshTiming
    /// Reading it imports the catalogue if that has not been done.
    let imported: RefreshedValue<Date>

    func read<Value>(
        _ read: (ShopCatalog) async throws(DataError) -> Dated<Value>
    ) async throws(DataError) -> Dated<Value> {
        guard shop.needsImport else { return try await read(shop) }
        let imported = try await imported.value()
        return Dated(try await read(shop).value, asOf: imported.asOf, failure: imported.failure)
    }

    /// A list, such as that of a season, which is refreshed when it is stale.
    func list<Value: Sendable>(
        stored: @escaping @Sendable (ShopCatalog) async -> Dated<Value>?,
        read: @escaping @Sendable (ShopCatalog) async throws(DataError) -> Dated<Value>
    ) -> RefreshedValue<Value> {
        RefreshedValue(
            freshFor: timing.freshness.catalog, timing, stored: { await stored(shop) },
            read: { () throws(DataError) in try await self.read(read) })
    }

    /// The promotions, which are read separately from an import because they change more often.
    func promotions() async throws(DataError) -> Dated<[Promotion]> {
        if shop.needsImport { _ = try await imported.value() }
        return try await shop.promotions()
    }
}
