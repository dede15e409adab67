import PouchData
import PouchEntities
import PouchJSON

/// All items of a list, which is read page by page while the sequence is iterated:
///
///     for try await product in pouch.catalog.all(ProductQuery(category: "hats")) { print(product.name) }
///
/// The next page is requested when the last item of a page was taken. Each iterator starts with the first page. An error
/// ends the sequence: `.listChanged` where the list was replaced while it was read, as by an import, and otherwise why a
/// page could not be read.
public struct AllPages<Item: Sendable>: AsyncSequence, Sendable {
    package let reader: PageReader<Item>

    init(_ read: @escaping PageReader<Item>.Read) {
        reader = PageReader(read: read)
    }

    /// - Parameter read: reads one page; nil stands for the first.
    init(_ read: @escaping @Sendable (_ cursor: String?) async throws(DataError) -> Page<Item>)
    where Item: JSONCodable {
        self.init { cursor throws(DataError) in
            let page = try await read(cursor)
            return (page.items, page.nextCursor)
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate var reader: PageReader<Item>?
        private var items: ArraySlice<Item> = []

        fileprivate init(reader: PageReader<Item>) {
            self.reader = reader
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(DataError) -> Item? {
            while items.isEmpty {
                guard var reader else { return nil }
                // An error ends the iteration.
                self.reader = nil
                guard let page = try await reader.nextPage() else { return nil }
                items = page[...]
                self.reader = reader
            }
            return items.popFirst()
        }
    }
}

/// Reads a list page by page. A page that could not be read may be read again.
package struct PageReader<Item: Sendable>: Sendable {
    package typealias Read =
        @Sendable (_ cursor: String?) async throws(DataError) -> (items: [Item], nextCursor: String?)

    fileprivate let read: Read
    private var cursors = CursorTrail()
    private var cursor: String?
    /// Whether the last page was read.
    package private(set) var isOver = false

    fileprivate init(read: @escaping Read) {
        self.read = read
    }

    /// - Returns: the items of the next page; nil after the last one.
    package mutating func nextPage() async throws(DataError) -> [Item]? {
        guard !isOver else { return nil }
        let page = try await read(cursor)
        cursor = try cursors.follow(page.nextCursor)
        isOver = cursor == nil
        return page.items
    }
}
