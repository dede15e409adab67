import Foundation
import HummingbirdTesting
import PouchContract
import PouchEntities
import PouchStorage
import PouchWire
import Testing

@testable import PouchHTTP

@Suite("Exports", .timeLimit(.minutes(5)), .inShop(setup: .live))
struct ExportTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let guest: Caller

    init() async throws { (admin, guest) = (try await shop.admin(), try await shop.guest()) }

    /// The cells of a CSV document, by the grammar of RFC 4180.
    private func rows(_ text: String) -> [[String]] {
        var (rows, row, cell) = ([[String]](), [String](), "")
        var isQuoted = false
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"" where isQuoted && rest.first == "\"": cell.unicodeScalars.append(rest.removeFirst())
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: (row, cell) = (row + [cell], "")
            case "\r" where !isQuoted && rest.first == "\n":
                rest.removeFirst()
                rows.append(row + [cell])
                (row, cell) = ([], "")
            default: cell.unicodeScalars.append(scalar)
            }
        }
        return cell.isEmpty && row.isEmpty ? rows : rows + [["not ended"]]
    }

    private func export(_ path: String) async throws -> [[String]] {
        let answer = try await admin.send("GET", "/v1/admin/exports/" + path)
        try #require(answer.status == 200, "\(answer.text)")
        #expect(answer.header("Content-Type") == "text/csv; charset=utf-8; header=present")
        #expect(answer.body.starts(with: [0xEF, 0xBB, 0xBF]))
        let rows = rows(String(decoding: answer.body.dropFirst(3), as: UTF8.self))
        #expect(Set(rows.map(\.count)).count == 1, "\(rows)")
        return rows
    }

    @Test func `Orders are exported with a row for each line, and sums of an order once`() async throws {
        let name = "=HYPERLINK(\"http://example.com\"), Ada\nLovelace"
        try await guest.add("cap", 2).good()
        try await guest.add("scarf-s").good()
        try await guest.ship(to: .inBerlin(name)).good()
        let order = try await guest.checkout().good()
        let rows = try await export("orders")
        try #require(rows.count == 3)
        let columns = Dictionary(uniqueKeysWithValues: zip(rows[0], rows[0].indices))
        func cell(_ row: Int, _ title: String) -> String? { columns[title].map { rows[row][$0] } }
        #expect([1, 2].map { cell($0, "Order") } == [order.number, order.number])
        #expect(cell(1, "Name") == "'" + name)
        #expect([1, 2].map { cell($0, "SKU") } == ["cap", "scarf-s"])
        #expect([1, 2].map { cell($0, "Line total") } == ["20.00", "25.00"])
        #expect([1, 2].map { cell($0, "Total") } == ["49.90", ""])
        #expect(cell(2, "Options") == "Size: S")
    }

    @Test func `An export has the orders of the filter, over more than one page`() async throws {
        let first = try await guest.buyNow().good()
        // Copies of the order: a page has 200.
        let rest = """
            owner_id, version, status, totals, shipping, email, from_cart, payment_status, payment_amount, refunded,
            currency, ledger_id, created_at, lines, history, hold_expires_at, hold_released, grams
            """
        let copy = """
            INSERT INTO orders (id, number, payment_id, \(rest))
            SELECT ? || SUBSTR(id, 15), ? || number, ? || payment_id, \(rest) FROM orders WHERE number = ?
            """
        try await shop.database { connection in
            for number in 0..<450 {
                let (id, prefix) = ("ord_" + String(1_000_000_000 + number), SQLValue.text("C\(number)-"))
                _ = try connection.run(copy, [.text(id), prefix, prefix, .text(first.number)])
            }
        }
        let rows = try await export("orders")
        #expect(rows.count == 452 && Set(rows.map(\.first)).count == 452)
        #expect(try await export("orders?q=\(first.number)").count == 2)
        #expect(try await export("orders?status=cancelled").count == 1)
        try await admin.send("GET", "/v1/admin/exports/orders?status=lost").problem(.invalidQuery)
    }

    @Test func `Customers and stock are exported`() async throws {
        _ = try await shop.customer().order()
        let customers = try await export("customers")
        #expect(customers.count == 2)
        #expect(customers[1].prefix(3) == ["Ada", "ada@example.com", "'+49 30 1234567"])
        #expect(customers[1].suffix(3) == ["1", "14.90", "EUR"])
        let stock = try await export("stock")
        #expect(stock.dropFirst().map(\.first) == ["cap", "gloves", "scarf-m", "scarf-s"])
        #expect(stock[1].suffix(3) == ["9", "0", "9"])
    }

    @Test(arguments: [
        ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("two\nlines", "\"two\nlines\""),
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("  =1", "'  =1"),
        ("\t1", "'\t1"), ("\r1", "\"'\r1\""), ("＝1", "'＝1"), ("=\"a\"", "\"'=\"\"a\"\"\""),
        ("x;=cmd|'/C calc'!A0;y", "x;'=cmd|'/C calc'!A0;y"), ("a\t+1", "a\t'+1"), ("a| @b", "a|' @b"),
        ("a\n-1", "\"a\n'-1\""), ("a;b|c", "a;b|c"), ("1-2=3", "1-2=3"),
    ])
    func `A text is quoted where it must be, is never a formula, and is read back`(text: String, cell: String) {
        #expect(CSVCell.line([.text(text)]) == cell + "\r\n")
        let quoted = cell.hasPrefix("\"") ? String(cell.dropFirst().dropLast()).replacing("\"\"", with: "\"") : cell
        #expect(SpreadsheetCell.text(quoted) == text)
    }
}
