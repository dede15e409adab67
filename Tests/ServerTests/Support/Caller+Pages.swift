import PouchContract
import PouchEntities
import Testing

extension Caller {
    /// All pages of a list, following its cursors to the end.
    func pages<Item: Codable & Sendable>(
        _ exchange: Exchange<NoBody, Page<Item>>, limit: Int, query: String = ""
    ) async throws -> [[Item]] {
        var pages: [[Item]] = []
        var cursor: String?
        repeat {
            let page = try await call(exchange, query: Self.query(query, limit, cursor)).good()
            pages.append(page.items)
            cursor = page.nextCursor
        } while cursor != nil && pages.count < 1_000
        return pages
    }

    func productPages(limit: Int, query: String = "") async throws -> [[Product]] {
        var pages: [[Product]] = []
        var cursor: String?
        repeat {
            let page = try await call(Contract.products, query: Self.query(query, limit, cursor)).good()
            pages.append(page.items)
            cursor = page.nextCursor
        } while cursor != nil && pages.count < 1_000
        return pages
    }

    private static func query(_ query: String, _ limit: Int, _ cursor: String?) -> String {
        [query, "limit=\(limit)", cursor.map { "cursor=" + $0 } ?? ""].filter { !$0.isEmpty }.joined(separator: "&")
    }
}
