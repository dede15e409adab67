import Foundation
import PouchDomain
import PouchEntities

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
