import PouchData
import PouchEntities

/// The origin of the catalogue: a server that answers queries, or a feed that is read as a whole.
protocol CatalogSource: Sendable {
    func seasons() async throws(DataError) -> Dated<[Season]>
    func themes(season: String?) async throws(DataError) -> Dated<[Theme]>
    func categories(season: String?) async throws(DataError) -> Dated<[PouchEntities.Category]>
    func promotions() async throws(DataError) -> Dated<[Promotion]>
    func products(_ query: ProductQuery) async throws(DataError) -> Dated<ProductPage>
    func product(handle: String) async throws(DataError) -> Dated<Product>
}

/// The rows of all pages, stale if one page is.
func allPages<Item>(
    _ page: (_ cursor: String?) async throws(DataError) -> Dated<Page<Item>>
) async throws(DataError) -> Dated<[Item]> {
    var items: [Item] = []
    var stale: Dated<Page<Item>>?
    var cursors = CursorTrail()
    var cursor: String?
    repeat {
        let next = try await page(cursor)
        items += next.items
        if stale == nil, next.failure != nil { stale = next }
        cursor = try cursors.follow(next.nextCursor)
    } while cursor != nil
    return Dated(items, asOf: stale?.asOf, failure: stale?.failure)
}

/// The cursors of a list that is read to its end. A repeated cursor would make an endless loop, and is an error.
struct CursorTrail {
    private var followed: Set<String> = []

    mutating func follow(_ cursor: String?) throws(DataError) -> String? {
        guard let cursor else { return nil }
        guard followed.insert(cursor).inserted else {
            throw DataError(.unreadableAnswer, log: "a cursor came twice")
        }
        return cursor
    }
}
