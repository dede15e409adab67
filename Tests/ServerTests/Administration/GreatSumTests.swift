import PouchContract
import PouchEntities
import PouchJSON
import PouchWire
import Testing

@testable import PouchStorage

@Suite("Sums beyond 64 bits", .timeLimit(.minutes(5)), .inShop())
struct GreatSumTests {
    private let shop = TestShop.current

    @Test func `Figures, customers, exports and pages show the greatest amounts, and no error`() async throws {
        let (admin, customer) = (try await shop.admin(), try await shop.customer())
        for _ in 0..<2 { _ = try await customer.order() }
        let most = Money(9_000_000_000_000_000_000, .eur)
        let totals = Totals(items: most, discount: .zero(.eur), shipping: .zero(.eur), tax: most, total: most)
        _ = try await shop.rows(
            "UPDATE orders SET payment_amount = ?, totals = ?",
            [.integer(most.amount), .text(String(decoding: try totals.json(), as: UTF8.self))])
        // The figures are those up to now.
        shop.clock.advance(by: 1)
        let listed = try await admin.call(Contract.customers).good().items
        #expect(listed.map(\.spent.amount) == [9_223_372_036_000_000_000])
        let report = try await admin.call(Contract.salesReport).good()
        #expect(report.total.gross.amount >= 9_223_372_036_000_000_000 && report.total.orders == 2)
        let export = try await admin.send("GET", "/v1/admin/exports/customers")
        #expect(export.status == 200 && export.text.contains("ada@example.com"))
        let visitor = try await shop.member(.owner)
        for path in ["/admin", "/admin/customers"] {
            #expect(try await visitor.get(path).status == 200, "\(path)")
        }
    }

    @Test(
        arguments: [
            ("(9223372035999999999), (1)", 9_223_372_036_000_000_000), ("(-5), (2000000001)", 1_999_999_996),
            ("(9000000000000000000), (9000000000000000000), (-1)", 9_223_372_036_000_000_000),
            ("(-9000000000000000000), (-9000000000000000000)", -9_223_372_036_000_000_000),
            ("(4000000000000000000), (-1)", 3_999_999_999_999_999_999),
        ] as [(String, Int64)])
    func `Sums that fit are exact, and others stop at the greatest`(values: String, sum: Int64) async throws {
        let sql = """
            WITH list (x) AS (VALUES \(values))
            SELECT CAST(\(SQLSum.saturating("CAST(x AS BIGINT)")) AS BIGINT) FROM list
            """
        let row = try #require(try await shop.rows(sql).first)
        #expect(try row.integer(0) == sum)
    }
}
