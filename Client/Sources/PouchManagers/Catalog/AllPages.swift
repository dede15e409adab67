import PouchData
import PouchEntities

/// The rows of all pages. What is stale in one page makes the whole stale.
func allPages<Item>(
    _ page: (_ cursor: String?) async throws(DataError) -> Dated<Page<Item>>
) async throws(DataError) -> Dated<[Item]> {
    var items: [Item] = []
    var staleness: Staleness?
    var cursors = CursorTrail()
    var cursor: String?
    repeat {
        let next = try await page(cursor)
        items += next.items
        staleness = staleness ?? next.staleness
        cursor = try cursors.follow(next.nextCursor)
    } while cursor != nil
    return Dated(items, staleness: staleness)
}
