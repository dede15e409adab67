import PouchContract
import PouchEntities
import PouchService
import PouchWire

/// A page of rows, each of which may be bad; read in one pass.
struct RowPage<Item: Decodable & Sendable>: Decodable {
    let items: [Row<Item>]
    let nextCursor: String?
    let facets: Row<[Facet]>?
}

extension DataManager {
    /// A page with the rows that could be read; the others are reported.
    func page<Body, Item>(
        _ exchange: Exchange<Body, Page<Item>>, _ path: Path
    ) async throws(DataError) -> Page<Item> where Item: Decodable {
        try await datedPage(exchange, path).value
    }

    /// The same, with whether it is of now.
    func datedPage<Body, Item>(
        _ exchange: Exchange<Body, Page<Item>>, _ path: Path
    ) async throws(DataError) -> Dated<Page<Item>> where Item: Decodable {
        let (rows, items, staleness) = try await rows(Item.self, of: exchange, path)
        return Dated(Page(items: items, nextCursor: rows.nextCursor), staleness: staleness)
    }

    /// Facets that cannot be read are left out like a bad row.
    func productPage(
        _ exchange: Exchange<NoBody, ProductPage>, _ path: Path, _ options: CallOptions
    ) async throws(DataError) -> Dated<ProductPage> {
        let (rows, items, staleness) = try await rows(Product.self, of: exchange, path, options)
        let page = ProductPage(items: items, nextCursor: rows.nextCursor, facets: try? rows.facets?.result.get())
        return Dated(page, staleness: staleness)
    }

    private func rows<Item: Decodable & Sendable, Body, Answer>(
        _ type: Item.Type, of exchange: Exchange<Body, Answer>, _ path: Path,
        _ options: CallOptions = CallOptions()
    ) async throws(DataError) -> (RowPage<Item>, [Item], Staleness?) {
        let answer = try await answer(to: exchange.endpoint, path, options)
        let page = try meter.time(.decoding) { () throws(DataError) in try decode(RowPage<Item>.self, from: answer) }
        let items = page.items.enumerated().compactMap { index, row -> Item? in
            switch row.result {
            case .success(let item):
                return item
            case .failure(let error):
                reportRow(
                    RowReport(
                        list: exchange.endpoint.name, row: index, reason: RowReport.reason(error),
                        requestId: answer.requestId))
                return nil
            }
        }
        return (page, items, answer.staleness.map(Staleness.init))
    }
}
