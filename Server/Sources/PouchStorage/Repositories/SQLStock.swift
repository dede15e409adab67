import Foundation
import PouchDomain

/// The time of a change is that of the machine, by which other processes find it; see `CatalogFollower` for the overlap.
struct SQLStock: StockRepository {
    let connection: any SQLConnection

    func hold(sku: String, quantity: Int) throws -> Bool {
        try update("held = held + ?", sku: sku, quantity, where: "on_hand - held >= ?", quantity)
    }

    func release(sku: String, quantity: Int) throws {
        try expect(update("held = held - ?", sku: sku, quantity, where: "held >= ?", quantity))
    }

    func sell(sku: String, quantity: Int) throws {
        let changed = try connection.run(
            "UPDATE stock SET held = held - ?, on_hand = on_hand - ?, changed_at = ? WHERE sku = ? AND held >= ?",
            [.integer(quantity), .integer(quantity), .time(Date()), .text(sku), .integer(quantity)])
        try expect(changed == 1)
    }

    func putBack(sku: String, quantity: Int) throws {
        try expect(update("on_hand = on_hand + ?", sku: sku, quantity, where: "on_hand >= ?", 0))
    }

    private func update(
        _ assignment: String, sku: String, _ quantity: Int, where condition: String, _ bound: Int
    ) throws -> Bool {
        try connection.run(
            "UPDATE stock SET \(assignment), changed_at = ? WHERE sku = ? AND \(condition)",
            [.integer(quantity), .time(Date()), .text(sku), .integer(bound)]) == 1
    }

    /// What was held or sold has a row with at least so many units; anything else is damage.
    private func expect(_ changed: Bool) throws {
        guard changed else { throw StorageError.corrupt("stock that was held or sold is not there") }
    }
}
