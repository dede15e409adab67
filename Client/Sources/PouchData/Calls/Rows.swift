import PouchContract
import PouchEntities
import PouchService
import PouchWire

/// A row of a list that could not be read; the list goes on without it.
public struct RowReport: Sendable, Equatable {
    /// The endpoint's name in the contract, such as `products`, or the name of a feed's file.
    public let list: String
    /// The row's position, from 0, in the page as the server sent it.
    public let row: Int
    /// The field that could not be read, and why; for logs.
    public let reason: String
    public let requestId: String?

    static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(type(of: error))" }
        let (what, path): (String, [any CodingKey]) =
            switch error {
            case .keyNotFound(let key, let context): ("is missing", context.codingPath + [key])
            case .valueNotFound(_, let context): ("is null", context.codingPath)
            case .typeMismatch(_, let context): ("has the wrong type", context.codingPath)
            case .dataCorrupted(let context): ("cannot be read", context.codingPath)
            @unknown default: ("cannot be read", [])
            }
        let field = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        return (field.isEmpty ? "the whole" : field) + " " + what
    }
}

extension DataManager {
    /// A page of the rows that can be read. The others are reported.
    func page<Body, Item>(
        _ exchange: Exchange<Body, Page<Item>>, _ path: Path
    ) async throws(DataError) -> Page<Item> where Item: Decodable {
        try await datedPage(exchange, path).value
    }

    func datedPage<Body, Item>(
        _ exchange: Exchange<Body, Page<Item>>, _ path: Path
    ) async throws(DataError) -> Dated<Page<Item>> where Item: Decodable {
        let (rows, items, answer) = try await rows(Item.self, path)
        return Dated(Page(items: items, nextCursor: rows.nextCursor), from: answer)
    }

    /// A page whose facets are left out where they cannot be read.
    func productPage(
        _ exchange: Exchange<NoBody, ProductPage>, _ path: Path, _ options: CallOptions
    ) async throws(DataError) -> Dated<ProductPage> {
        let (rows, items, answer) = try await rows(Product.self, path, options)
        let page = ProductPage(items: items, nextCursor: rows.nextCursor, facets: try? rows.facets?.result.get())
        return Dated(page, from: answer)
    }

    private func rows<Item: Decodable & Sendable>(
        _ type: Item.Type, _ path: Path, _ options: CallOptions = CallOptions()
    ) async throws(DataError) -> (RowPage<Item>, [Item], ServiceAnswer) {
        let answer = try await answer(to: path, options)
        let page = try decode(RowPage<Item>.self, from: answer)
        let items = page.items.enumerated().compactMap { index, row -> Item? in
            switch row.result {
            case .success(let item):
                return item
            case .failure(let error):
                reportRow(
                    RowReport(
                        list: path.endpoint.name, row: index, reason: RowReport.reason(error),
                        requestId: answer.requestId))
                return nil
            }
        }
        return (page, items, answer)
    }
}

/// A page of rows, each of which may be bad; read in one pass of the decoder.
private struct RowPage<Item: Decodable & Sendable>: Decodable {
    let items: [Row<Item>]
    let nextCursor: String?
    let facets: Row<[Facet]>?
}

/// A value, or the reason why it cannot be read.
private struct Row<Item: Decodable & Sendable>: Decodable, Sendable {
    let result: Result<Item, any Error>

    init(from decoder: any Decoder) throws {
        result = Result { try Item(from: decoder) }
    }
}
