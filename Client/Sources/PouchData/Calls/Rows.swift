import PouchContract
import PouchEntities
import PouchJSON
import PouchService
import PouchWire

/// A row of a list that could not be read; the list is returned without it. A list of the administration throws
/// `.unreadableAnswer` instead, because accounts and exports must be complete.
public struct RowReport: Sendable, Equatable {
    /// The endpoint's name in the contract, such as `products`, or the name of a feed's file.
    public let list: String
    /// The row's position, from 0, in the page as the server sent it.
    public let row: Int
    /// The field of the row that could not be read, and why; for logs.
    public let reason: String
    public let requestId: String?

    static func reason(_ error: JSONError) -> String {
        guard case .fields(let fields) = error, let field = fields.first else { return "the whole is not JSON" }
        let reason =
            switch field.fault {
            case .missing: "is missing"
            case .null: "is null"
            case .wrongType: "has the wrong type"
            case .duplicate: "occurs more than once"
            case .invalid, .unknown, .tooManyMarks: "cannot be read"
            }
        return (field.path.isEmpty ? "the whole" : field.path) + " " + reason
    }
}

extension DataManager {
    /// A page of the rows that can be read. The others are reported.
    ///
    /// - Parameter parameters: the values of the path's parameters.
    func page<Query: QueryType, Item: JSONCodable>(
        _ exchange: Exchange<Query, Page<Item>>, _ parameters: String..., query: Query
    ) async throws(DataError) -> Page<Item> {
        try await datedPage(EndpointCall(exchange.endpoint, parameters, query: query.queryString)).value
    }

    func page<Body: JSONCodable, Item: JSONCodable>(
        _ exchange: Exchange<Body, Page<Item>>, sending body: Body
    ) async throws(DataError) -> Page<Item> {
        try await datedPage(EndpointCall(exchange.endpoint, body: try encode(body))).value
    }

    func datedPage<Query: QueryType, Item: JSONCodable>(
        _ exchange: Exchange<Query, Page<Item>>, query: Query
    ) async throws(DataError) -> Dated<Page<Item>> {
        try await datedPage(EndpointCall(exchange.endpoint, query: query.queryString))
    }

    private func datedPage<Item: JSONCodable>(_ call: EndpointCall) async throws(DataError) -> Dated<Page<Item>> {
        let (rows, items, unreadable, answer) = try await rows(Item.self, call)
        return Dated(Page(items: items, nextCursor: rows.nextCursor), from: answer, unreadable: unreadable)
    }

    /// A page without its facets if they cannot be read.
    func productPage(_ query: ProductQuery, _ options: CallOptions) async throws(DataError) -> Dated<ProductPage> {
        let call = EndpointCall(Contract.products.endpoint, query: query.queryString)
        let (rows, items, unreadable, answer) = try await rows(Product.self, call, options)
        let page = ProductPage(items: items, nextCursor: rows.nextCursor, facets: try? rows.facets?.result.get())
        return Dated(page, from: answer, unreadable: unreadable)
    }

    private func rows<Item: JSONCodable>(
        _ type: Item.Type, _ call: EndpointCall, _ options: CallOptions = CallOptions()
    ) async throws(DataError) -> (RowPage<Item>, [Item], [RowReport], ServiceAnswer) {
        let answer = try await answer(to: call, options)
        let page = try decode(RowPage<Item>.self, from: answer)
        var items: [Item] = []
        var unreadable: [RowReport] = []
        for (index, row) in page.items.enumerated() {
            switch row.result {
            case .success(let item): items.append(item)
            case .failure(let error):
                unreadable.append(
                    RowReport(
                        list: call.endpoint.name, row: index, reason: RowReport.reason(error),
                        requestId: answer.requestId))
            }
        }
        for report in unreadable { reportRow(report) }
        if case .staff = call.endpoint.access, let first = unreadable.first {
            throw DataError(
                .unreadableAnswer, requestId: answer.requestId, log: "\(first.list), row \(first.row): \(first.reason)",
                sendState: .readOnly)
        }
        return (page, items, unreadable, answer)
    }
}

/// A page of rows, each of which may be invalid; read in one pass of the decoder.
private struct RowPage<Item: JSONCodable>: JSONModel {
    let items: [Row<Item>]
    let nextCursor: String?
    let facets: Row<[Facet]>?

    static var json: JSONObject<RowPage, ([Row<Item>]?, String??, Row<[Facet]>??)> {
        JSONObject(
            RowPage.init, .field("items", \.items), .field("nextCursor", \.nextCursor), .field("facets", \.facets))
    }
}

/// A value, or the reason why it cannot be read.
private struct Row<Item: JSONCodable>: JSONCodable {
    let result: Result<Item, JSONError>

    init(reading json: inout JSONReader) throws(JSONError) {
        result = try json.attempt(Item.self)
    }

    func write(to json: inout JSONWriter) {
        if case .success(let item) = result { item.write(to: &json) } else { json.null() }
    }

    static var jsonShape: JSONShape { Item.jsonShape }
}
