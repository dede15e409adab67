import Foundation
import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var variants: any VariantRepository { SQLVariants(connection: connection, currency: currency, time: time) }
    public var scheduledPrices: any ScheduledPriceRepository {
        SQLScheduledPrices(connection: connection, currency: currency)
    }
}

struct SQLVariants: VariantRepository {
    let connection: any SQLConnection
    let currency: Currency
    let time: any TimeSource

    func variant(sku: String, locking: Bool) throws -> ManagedVariant? {
        let lock = locking && connection.dialect == .postgres ? connection.dialect.rowLock + " OF s" : ""
        return try connection.row(
            """
            SELECT v.price, s.on_hand - s.held, s.on_hand, s.held
            FROM current_variants v JOIN stock s ON s.sku = v.sku WHERE v.sku = ?\(lock)
            """, [.text(sku)]
        ).map { row in
            ManagedVariant(
                sku: sku, price: Money(try row.integer(0), currency), available: try row.int(1),
                onHand: try row.int(2), held: try row.int(3))
        }
    }

    func setPrice(sku: String, _ price: Money) throws -> Bool {
        let changed = try connection.run(
            "UPDATE variants SET price = ? WHERE sku = ? AND price <> ?",
            [.integer(price.amount), .text(sku), .integer(price.amount)])
        guard changed > 0 else { return false }
        try connection.run(
            """
            UPDATE products SET version = version + 1
            WHERE id IN (SELECT product_id FROM current_variants WHERE sku = ?)
            """, [.text(sku)])
        return true
    }

    func setAvailable(sku: String, _ units: Int) throws {
        try connection.run(
            "UPDATE stock SET on_hand = held + ?, changed_at = ? WHERE sku = ?",
            [.integer(units), .time(time.now), .text(sku)])
    }

    func adjust(sku: String, by units: Int) throws -> Bool {
        try connection.run(
            "UPDATE stock SET on_hand = on_hand + ?, changed_at = ? WHERE sku = ? AND on_hand + ? >= held",
            [.integer(units), .time(time.now), .text(sku), .integer(units)]) == 1
    }
}

struct SQLScheduledPrices: ScheduledPriceRepository {
    let connection: any SQLConnection
    let currency: Currency

    func prices(sku: String?, after id: String?, limit: Int) throws -> [ScheduledPrice] {
        let page = SQLPage(where: [("sku", sku)], after: id, limit: limit)
        return try connection.rows(
            "SELECT \(Self.columns) FROM scheduled_prices \(page.sql)", page.arguments
        ).map(price)
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

    func delete(id: String) throws -> ScheduledPrice? {
        try connection.row("DELETE FROM scheduled_prices WHERE id = ? RETURNING \(Self.columns)", [.text(id)]).map(
            price)
    }

    private static let columns = "id, sku, price, starts_at, ends_at"

    private func price(_ row: SQLRow) throws -> ScheduledPrice {
        ScheduledPrice(
            id: try row.text(0), sku: try row.text(1), price: Money(try row.integer(2), currency),
            startsAt: try row.date(3), endsAt: try row.date(4))
    }
}

extension ShopDatabase.Transaction {
    public var stock: any StockRepository { SQLStock(connection: connection, time: time) }
}

/// Other processes find changes by time; see `CatalogFollower` for the overlap.
struct SQLStock: StockRepository {
    let connection: any SQLConnection
    let time: any TimeSource

    func hold(_ units: [StockUnits]) throws -> [String: Int] {
        guard !units.isEmpty else { return [:] }
        let wanted = wanted(units)
        return try connection.rows(
            """
            \(wanted.sql)
            UPDATE stock SET held = held + wanted_value, changed_at = ? FROM wanted
            WHERE sku = wanted_sku\(wanted.isLocked) AND on_hand - held >= wanted_value
            RETURNING sku, on_hand - held
            """, wanted.arguments + [.time(time.now)]
        ).byText { try $0.int(1) }
    }

    func release(_ units: [StockUnits]) throws {
        try change("held = held - wanted_value", of: units, where: "held >= wanted_value")
    }

    func sell(_ units: [StockUnits]) throws {
        try change(
            "held = held - wanted_value, on_hand = on_hand - wanted_value", of: units, where: "held >= wanted_value")
    }

    func putBack(_ units: [StockUnits]) throws {
        try change("on_hand = on_hand + wanted_value", of: units, where: "on_hand >= 0")
    }

    func expiredHolds(at: Date) throws -> [String: Int] {
        try connection.rows(
            "SELECT sku, SUM(quantity) FROM holds WHERE expires_at <= ? GROUP BY sku", [.time(at)]
        ).byText { try $0.int(1) }
    }

    /// Held or sold units have a row with at least that many; anything else is corruption.
    private func change(_ assignment: String, of units: [StockUnits], where condition: String) throws {
        guard !units.isEmpty else { return }
        let wanted = wanted(units)
        let changed = try connection.run(
            """
            \(wanted.sql)
            UPDATE stock SET \(assignment), changed_at = ? FROM wanted
            WHERE sku = wanted_sku\(wanted.isLocked) AND \(condition)
            """, wanted.arguments + [.time(time.now)])
        guard changed == units.count else {
            throw StorageError.corrupt("held or sold stock is missing")
        }
    }

    /// Locks rows in the order of their SKUs: a plain UPDATE locks them in any order, so that two transactions could
    /// deadlock.
    private func wanted(_ units: [StockUnits]) -> (sql: String, isLocked: String, arguments: [SQLValue]) {
        let list = SQLList.wanted(units.map { ($0.sku, Int64($0.quantity)) })
        let rowLock = connection.dialect.rowLock
        guard units.count > 1, !rowLock.isEmpty else { return (list.sql, "", list.arguments) }
        return (
            """
            \(list.sql), locked AS (
                SELECT sku FROM stock WHERE sku IN (SELECT wanted_sku FROM wanted) ORDER BY sku\(rowLock)
            )
            """, " AND sku IN (SELECT sku FROM locked)", list.arguments
        )
    }
}
