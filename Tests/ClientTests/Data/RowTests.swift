import Foundation
import PouchData
import PouchEntities
import PouchNetwork
import PouchService
import Synchronization
import Testing

struct RowTests {
    private final class Reports: Sendable {
        let rows = Mutex<[RowReport]>([])
    }

    private func data(_ body: String, _ reports: Reports) throws -> DataManager {
        let service = try makeService(
            over: StubTransport { _ in .text(body) }, store: MemorySessionStore(Fixture.data(Fixture.session())))
        return DataManager(service: service) { row in reports.rows.withLock { $0.append(row) } }
    }

    private func json(_ value: some Encodable) -> String {
        String(decoding: Fixture.data(value), as: UTF8.self)
    }

    @Test func `bad rows are reported and the others come in order`() async throws {
        let good = [json(Fixture.product("a")), json(Fixture.product("b"))]
        let noName = good[0].replacingOccurrences(of: "\"name\":\"a\",", with: "")
        let reports = Reports()
        let data = try data(
            "{\"items\":[\(noName),\(good[0]),7,null,\(good[1]),[]],\"nextCursor\":\"n\"}", reports)
        let page = try await data.products(ProductQuery())
        #expect(page.items.map(\.handle) == ["a", "b"])
        #expect(page.nextCursor == "n")
        let rows = reports.rows.withLock { $0 }
        #expect(rows.map(\.row) == [0, 2, 3, 5])
        #expect(rows.first?.list == "products")
        #expect(rows.first?.reason == "items.0.name is missing")
        #expect(rows.first?.requestId == "req-text")
    }

    @Test func `a page of orders survives a bad row as well`() async throws {
        let reports = Reports()
        let page = try await data("{\"items\":[{},\(json(Fixture.order()))]}", reports).orders()
        #expect(page.items.map(\.id) == ["ord_1"])
        #expect(reports.rows.withLock { $0.map(\.list) } == ["orders"])
    }

    @Test func `facets that cannot be read leave the products alone`() async throws {
        let body = "{\"items\":[\(json(Fixture.product("a")))],\"facets\":[{\"name\":1}]}"
        let page = try await data(body, Reports()).products(ProductQuery())
        #expect(page.items.count == 1)
        #expect(page.facets == nil)
    }

    @Test(arguments: ["{}", "{\"items\":{}}", "{\"items\":[", "[]"])
    func `what is no page at all is an error`(body: String) async throws {
        let data = try data(body, Reports())
        await #expect {
            _ = try await data.products(ProductQuery())
        } throws: {
            ($0 as? DataError)?.reason == .unreadableAnswer
        }
    }
}
