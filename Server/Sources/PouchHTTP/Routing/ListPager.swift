import PouchContract
import PouchEntities
import PouchWire

/// Cuts lists that are wholly at hand into pages.
struct ListPager: Sendable {
    let cursors: CursorSigner

    /// - Parameters:
    ///   - items: in the order of their keys.
    ///   - list: the name of the list; a cursor is good for its own list alone.
    func page<Item>(
        of items: [Item], list: String, _ page: PageQuery, key: (Item) -> String
    ) throws -> Page<Item> {
        let after = try page.cursor.map { try cursors.position(String.self, from: $0, for: list) }
        let rest = after.map { after in items.drop { key($0) <= after } } ?? items[...]
        let found = Array(rest.prefix(page.limit ?? Limits.defaultPageSize))
        let next = found.count < rest.count ? try found.last.map { try cursors.cursor(key($0), for: list) } : nil
        return Page(items: found, nextCursor: next)
    }
}
