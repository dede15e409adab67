import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchWire

/// The catalogue of the shop's server.
struct ServerSource: CatalogSource {
    let data: DataManager

    var includesPromotions: Bool { true }

    func seasons() async throws(DataError) -> Dated<[Season]> {
        try await all(Contract.seasons, query: PageQuery())
    }

    func themes(season: String?) async throws(DataError) -> Dated<[Theme]> {
        try await all(Contract.themes, query: SeasonQuery { $0.season = season })
    }

    func categories(season: String?) async throws(DataError) -> Dated<[PouchEntities.Category]> {
        try await all(Contract.categories, query: SeasonQuery { $0.season = season })
    }

    func products(_ query: ProductQuery) async throws(DataError) -> Dated<ProductPage> {
        try await data.products(query)
    }

    func product(handle: String) async throws(DataError) -> Dated<Product> { try await data.product(handle: handle) }

    func promotions(find: @escaping ProductFinder) async throws(DataError) -> Dated<[Promotion]> {
        try await promotions()
    }

    private func promotions() async throws(DataError) -> Dated<[Promotion]> {
        try await all(Contract.promotions, query: PageQuery())
    }

    /// Fails if a response is stale, because an import must not mix versions of the catalogue.
    func readAll(
        at now: Date, newerThan known: Date?, _ receive: ProductReceiver
    ) async throws(DataError) -> Dated<CatalogTaxonomy?> {
        let categories = try await fresh(await categories(season: nil))
        // The shop's figures may be wrong; their sum must not overflow.
        let total = categories.reduce(0) { $0 + min(max(0, $1.productCount), 1_000_000_000) }
        var taxonomy = CatalogTaxonomy(
            seasons: try await fresh(await seasons()), themes: try await fresh(await themes(season: nil)),
            categories: categories)
        try await receive([], total)
        var cursors = CursorLoopGuard()
        var query = ProductQuery(sort: .name, limit: Limits.pageSize.upperBound)
        var page: ProductPage? = try await page(query)
        while let current = page {
            let cursor = try cursors.follow(current.nextCursor)
            query.cursor = cursor
            // The next page is requested while this one is stored, so two pages are in memory at a time.
            let nextQuery = query
            async let next = cursor == nil ? nil : self.page(nextQuery)
            try await receive(current.items, total)
            do {
                page = try await next
            } catch {
                throw error as? DataError ?? DataError(.cancelled)
            }
        }
        taxonomy.promotions = try await fresh(await promotions())
        return Dated(taxonomy)
    }

    private func page(_ query: ProductQuery) async throws(DataError) -> ProductPage {
        try await fresh(await data.products(query, usesCache: false))
    }

    private func fresh<Value>(
        _ read: @autoclosure () async throws(DataError) -> Dated<Value>
    ) async throws(DataError) -> Value {
        let dated = try await read()
        if let failure = dated.failure { throw failure }
        return dated.value
    }

    /// The rows of all pages, stale if one page is.
    private func all<Query: PagedQuery, Item: JSONCodable>(
        _ exchange: Exchange<Query, Page<Item>>, query: Query
    ) async throws(DataError) -> Dated<[Item]> {
        var rows = Dated<[Item]>([])
        var cursors = CursorLoopGuard()
        var query = query
        repeat {
            let next = try await data.datedPage(exchange, query: query)
            rows = rows.appending(next.map(\.items))
            query.page.cursor = try cursors.follow(next.nextCursor)
        } while query.page.cursor != nil
        return rows
    }
}

/// The cursors of a list that is read to its end. A repeated cursor is an error, because it would cause an endless
/// loop.
package struct CursorLoopGuard: Sendable {
    private var followed: Set<String> = []

    package init() {}

    package mutating func follow(_ cursor: String?) throws(DataError) -> String? {
        guard let cursor else { return nil }
        guard followed.insert(cursor).inserted else {
            throw DataError(.unreadableAnswer, log: "a cursor came twice")
        }
        return cursor
    }
}
