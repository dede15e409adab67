import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchWire

/// Creates the pages of lists, and the cursors between them.
package struct ListPager: Sendable {
    package let cursors: CursorSigner

    package init(cursors: CursorSigner) {
        self.cursors = cursors
    }

    /// A page of a list in memory.
    ///
    /// - Parameters:
    ///   - items: the items, sorted by their keys.
    ///   - list: the name of the list. A cursor is valid for one list only.
    package func page<Item>(of items: [Item], list: String, _ page: PageQuery, key: (Item) -> String) throws -> Page<
        Item
    > {
        try self.page(list: list, page, key: key) { after, limit in
            let rest = after.map { after in items.drop { key($0) <= after } } ?? items[...]
            return Array(rest.prefix(limit))
        }
    }

    /// A page of a list in memory that changes only with a new version of the server. Positions serve as keys.
    package func page<Item>(of items: [Item], list: String, _ page: PageQuery) throws -> Page<Item> {
        let numbered = items.enumerated().map { (key: String(10_000_000 + $0), item: $1) }
        let found = try self.page(of: numbered, list: list, page, key: \.key)
        return Page(items: found.items.map(\.item), nextCursor: found.nextCursor)
    }

    /// A page of a stored list.
    ///
    /// - Parameter read: reads items after a key, up to a limit.
    package func page<Item>(
        list: String, _ page: PageQuery, key: (Item) -> String,
        _ read: (_ after: String?, _ limit: Int) throws -> [Item]
    ) throws -> Page<Item> {
        let after = try page.cursor.map { try cursors.position(String.self, from: $0, for: list) }
        let limit = page.limit ?? Limits.defaultPageSize
        // Reads one more than the page holds, to know whether another page follows.
        let found = try read(after, limit + 1)
        let items = Array(found.prefix(limit))
        let next = found.count > limit ? try items.last.map { try cursors.cursor(key($0), for: list) } : nil
        return Page(items: items, nextCursor: next)
    }
}

/// Signs cursors with the keys of the database. The signature includes the name of the list, so that other lists refuse
/// the cursor.
package struct CursorSigner: Sendable {
    let keyRing: KeyRing
    let digests: any Digests

    package init(keyRing: KeyRing, digests: any Digests) {
        self.keyRing = keyRing
        self.digests = digests
    }

    package func cursor(_ position: some JSONCodable, for list: String) throws -> String {
        codec(list, keyRing.current).encode(try position.json())
    }

    /// - Throws: `RequestProblem` with `invalid_cursor`.
    package func position<Position: JSONCodable>(_ type: Position.Type, from cursor: String, for list: String) throws
        -> Position
    {
        for key in keyRing.all {
            if let payload = codec(list, key).decode(cursor), let position = try? Position(json: payload) {
                return position
            }
        }
        throw RequestProblem(.invalidCursor, "Use nextCursor from a page of the same list.")
    }

    private func codec(_ list: String, _ key: SigningKey) -> CursorCodec {
        let secret = keyRing.derivedKey("cursor " + list, from: key)
        return CursorCodec { [digests] in digests.hmacSHA256($0, key: secret).prefix(16) }
    }
}

/// Repeats a request with an invalid cursor after reading the key ring again, since another process may have signed the
/// cursor with a newer key.
struct CursorKeyMiddleware: RouterMiddleware {
    let keyRing: KeyRing

    func handle(_ request: Request, context: PouchRequestContext, next: NextHandler) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as RequestProblem where problem.code == .invalidCursor {
            try await keyRing.refresh()
            return try await next(request, context)
        }
    }
}
