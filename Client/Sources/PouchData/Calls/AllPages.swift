import PouchContract
import PouchEntities
import PouchJSON
import PouchWire

/// All items of a list, which is read page by page while the sequence is iterated:
///
///     for try await product in pouch.catalog.all(ProductQuery(category: "hats")) { print(product.name) }
///
/// The next page is requested after the last item of a page. Each iterator starts with the first page. An error ends
/// the sequence: `.listChanged` if the list was replaced while it was read, for example by an import, and otherwise the
/// reason why a page could not be read. A repeated cursor is `.unreadableAnswer`, because the sequence would never end.
///
/// While the shop cannot be reached, the catalogue may come from this device. If that matters, iterate `pages`, which
/// report it, and also the rows that could not be read:
///
///     for try await page in pouch.catalog.all().pages {
///         if let failure = page.failure { throw failure }
///         compare(page.value)
///     }
public struct AllPages<Item: Sendable>: AsyncSequence, Sendable {
    package let reader: PageReader<Item>

    package init(_ read: @escaping PageReader<Item>.Read) {
        reader = PageReader(read: read)
    }

    /// - Parameter read: reads one page; nil stands for the first.
    package init(_ read: @escaping @Sendable (_ cursor: String?) async throws(DataError) -> Page<Item>)
    where Item: JSONCodable {
        self.init { cursor throws(DataError) in
            let page = try await read(cursor)
            return (Dated(page.items), page.nextCursor)
        }
    }

    /// The same items by page, each page with its age if it is not current.
    public var pages: Pages { Pages(reader: reader) }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: pages.makeAsyncIterator()) }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate var pages: Pages.AsyncIterator
        private var items: ArraySlice<Item> = []

        fileprivate init(pages: Pages.AsyncIterator) {
            self.pages = pages
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(DataError) -> Item? {
            while items.isEmpty {
                guard let page = try await pages.next(isolation: actor) else { return nil }
                items = page.value[...]
            }
            return items.popFirst()
        }
    }

    /// The pages of a list, which are read while the sequence is iterated.
    public struct Pages: AsyncSequence, Sendable {
        fileprivate let reader: PageReader<Item>

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

        public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
            fileprivate var reader: PageReader<Item>?

            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(DataError) -> Dated<[Item]>? {
                guard var reader else { return nil }
                // An error ends the iteration.
                self.reader = nil
                guard let page = try await reader.nextPage() else { return nil }
                self.reader = reader
                return page
            }
        }
    }
}

extension DataManager {
    /// The maximum number of items in a page.
    package static var largestPage: Int { Limits.pageSize.upperBound }

    /// All items of a list, in pages of the maximum size.
    func all<Query: PagedQuery, Item: JSONCodable>(
        _ exchange: Exchange<Query, Page<Item>>, query: Query
    ) -> AllPages<Item> {
        AllPages { [self] cursor throws(DataError) in
            var query = query
            query.page = PageQuery(limit: Self.largestPage, cursor: cursor)
            return try await page(exchange, query: query)
        }
    }
}

/// Reads a list page by page. A page that could not be read may be read again.
package struct PageReader<Item: Sendable>: Sendable {
    package typealias Read =
        @Sendable (_ cursor: String?) async throws(DataError) -> (page: Dated<[Item]>, nextCursor: String?)

    fileprivate let read: Read
    private var cursors = CursorLoopGuard()
    private var cursor: String?
    /// Whether the last page has been read.
    package private(set) var isOver = false

    fileprivate init(read: @escaping Read) {
        self.read = read
    }

    /// - Returns: the next page; nil after the last one.
    package mutating func nextPage() async throws(DataError) -> Dated<[Item]>? {
        guard !isOver else { return nil }
        let (page, nextCursor) = try await read(cursor)
        cursor = try cursors.follow(nextCursor)
        isOver = cursor == nil
        return page
    }
}
