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
    func page<Item>(
        _ exchange: Exchange<NoBody, Page<Item>>, _ path: Path
    ) async throws(DataError) -> Page<Item> where Item: Decodable {
        let (rows, items) = try await rows(Item.self, of: exchange, path)
        return Page(items: items, nextCursor: rows.nextCursor)
    }

    /// Facets that cannot be read are left out like a bad row.
    func productPage(
        _ exchange: Exchange<NoBody, ProductPage>, _ path: Path
    ) async throws(DataError) -> ProductPage {
        let (rows, items) = try await rows(Product.self, of: exchange, path)
        return ProductPage(items: items, nextCursor: rows.nextCursor, facets: try? rows.facets?.result.get())
    }

    private func rows<Item: Decodable & Sendable, Answer>(
        _ type: Item.Type, of exchange: Exchange<NoBody, Answer>, _ path: Path
    ) async throws(DataError) -> (RowPage<Item>, [Item]) {
        let answer = try await answer(to: exchange.endpoint, path)
        let page = try decode(RowPage<Item>.self, from: answer)
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
        return (page, items)
    }
}
