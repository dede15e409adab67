import Foundation
import PouchDomain
import PouchEntities

struct SQLScheduledPrices: ScheduledPriceRepository {
    let connection: any SQLConnection
    let currency: Currency

    func prices(sku: String?, after id: String?, limit: Int) throws -> [ScheduledPrice] {
        var conditions: [String] = []
        var arguments: [SQLValue] = []
        if let sku {
            conditions.append("sku = ?")
            arguments.append(.text(sku))
        }
        if let id {
            conditions.append("id < ?")
            arguments.append(.text(id))
        }
        let condition = conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
        return try connection.rows(
            """
            SELECT id, sku, price, starts_at, ends_at FROM scheduled_prices
            WHERE \(condition) ORDER BY id DESC LIMIT ?
            """, arguments + [.integer(limit)]
        ).map { row in
            ScheduledPrice(
                id: try row.text(0), sku: try row.text(1), price: Money(try row.integer(2), currency),
                startsAt: try row.date(3), endsAt: try row.date(4))
        }
    }

    func insert(_ price: ScheduledPrice, at: Date) throws {
        try connection.run(
            """
            INSERT INTO scheduled_prices (id, sku, price, starts_at, ends_at, created_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .text(price.id), .text(price.sku), .integer(price.price.amount), .time(price.startsAt),
                .time(price.endsAt), .time(at),
            ])
    }

    func delete(id: String) throws -> Bool {
        try connection.run("DELETE FROM scheduled_prices WHERE id = ?", [.text(id)]) == 1
    }
}
