import PouchContract
import PouchEntities
import PouchWire

/// Makes the pages of lists, and the cursors between them.
struct ListPager: Sendable {
    let cursors: CursorSigner

    /// A page of a list that is wholly at hand.
    ///
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

    /// A page of a list that is wholly at hand and changes with no more than the version of the server: its cursors count.
    func page<Item>(of items: [Item], list: String, _ page: PageQuery) throws -> Page<Item> {
        let numbered = items.enumerated().map { (key: String(10_000_000 + $0), item: $1) }
        let found = try self.page(of: numbered, list: list, page, key: \.key)
        return Page(items: found.items.map(\.item), nextCursor: found.nextCursor)
    }

    /// A page of a list of which no more than that is read.
    ///
    /// - Parameter read: reads so many items from behind the one with the given key, and whether there are more.
    func page<Item>(
        list: String, _ page: PageQuery, key: (Item) -> String,
        _ read: (_ after: String?, _ limit: Int) throws -> (items: [Item], hasMore: Bool)
    ) throws -> Page<Item> {
        let after = try page.cursor.map { try cursors.position(String.self, from: $0, for: list) }
        let found = try read(after, page.limit ?? Limits.defaultPageSize)
        let next = found.hasMore ? try found.items.last.map { try cursors.cursor(key($0), for: list) } : nil
        return Page(items: found.items, nextCursor: next)
    }
}
