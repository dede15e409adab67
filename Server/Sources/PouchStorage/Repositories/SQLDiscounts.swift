import Foundation
import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var discounts: any DiscountRepository { SQLDiscounts(connection: connection, currency: currency) }
}

struct SQLDiscounts: DiscountRepository {
    let connection: any SQLConnection
    let currency: Currency

    private static let columns = """
        id, code, rule, starts_at, ends_at, minimum, products, categories, use_limit, limit_per_account, used
        """

    func discounts(after id: String?, limit: Int) throws -> [DiscountRecord] {
        let page = SQLPage(after: id, limit: limit)
        return try connection.rows("SELECT \(Self.columns) FROM discounts \(page.sql)", page.arguments).map(record)
    }

    func record(id: String) throws -> DiscountRecord? {
        try connection.row("SELECT \(Self.columns) FROM discounts WHERE id = ?", [.text(id)]).map(record)
    }

    func usage(code: String, ownerId: String) throws -> DiscountRecord? {
        try connection.row(
            """
            SELECT \(Self.columns), COALESCE(
                (SELECT uses FROM discount_uses u WHERE u.discount_id = discounts.id AND u.owner_id = ?), 0)
            FROM discounts WHERE code = ?
            """, [.text(ownerId), .text(code)]
        ).map { row in
            var record = try record(row)
            record.usedByOwner = try row.int(11)
            return record
        }
    }

    func insert(_ discount: Discount, at: Date) throws -> Bool {
        try connection.run(
            """
            INSERT INTO discounts (
                code, rule, starts_at, ends_at, minimum, products, categories, use_limit, limit_per_account, id,
                created_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (code) DO NOTHING
            """,
            try values(discount) + [.text(discount.id), .time(at)]) == 1
    }

    func update(_ discount: Discount) throws -> Bool {
        try connection.run(
            """
            UPDATE discounts SET code = ?, rule = ?, starts_at = ?, ends_at = ?, minimum = ?, products = ?,
                categories = ?, use_limit = ?, limit_per_account = ?
            WHERE id = ? AND used <= COALESCE(?, used)
            """,
            try values(discount) + [.text(discount.id), .optional(discount.limit)]) == 1
    }

    func delete(id: String) throws -> Bool {
        try connection.run("DELETE FROM discount_uses WHERE discount_id = ?", [.text(id)])
        return try connection.run("DELETE FROM discounts WHERE id = ?", [.text(id)]) == 1
    }

    // MARK: Uses

    func claim(id: String) throws -> Bool {
        try connection.run(
            "UPDATE discounts SET used = used + 1 WHERE id = ? AND (use_limit IS NULL OR used < use_limit)",
            [.text(id)]) == 1
    }

    func claim(id: String, ownerId: String, limit: Int?) throws -> Bool {
        try connection.run(
            """
            INSERT INTO discount_uses (discount_id, owner_id, uses) VALUES (?, ?, 1)
            ON CONFLICT (discount_id, owner_id)
            DO UPDATE SET uses = discount_uses.uses + 1
                WHERE discount_uses.uses < COALESCE(?, discount_uses.uses + 1)
            """,
            [.text(id), .text(ownerId), .optional(limit)]) == 1
    }

    func giveBack(id: String, owners: [String]) throws {
        try connection.run("UPDATE discounts SET used = used - 1 WHERE id = ? AND used > 0", [.text(id)])
        for owner in owners {
            try connection.run(
                "UPDATE discount_uses SET uses = uses - 1 WHERE discount_id = ? AND owner_id = ? AND uses > 0",
                [.text(id), .text(owner)])
        }
    }

    func move(from ownerId: String, to newOwnerId: String) throws {
        try connection.run(
            """
            INSERT INTO discount_uses (discount_id, owner_id, uses)
            SELECT discount_id, ?, uses FROM discount_uses WHERE owner_id = ?
            ON CONFLICT (discount_id, owner_id) DO UPDATE SET uses = discount_uses.uses + excluded.uses
            """,
            [.text(newOwnerId), .text(ownerId)])
        try delete(ownerId: ownerId)
    }

    func delete(ownerId: String) throws {
        try connection.run("DELETE FROM discount_uses WHERE owner_id = ?", [.text(ownerId)])
    }

    // MARK: Rows

    private func values(_ discount: Discount) throws -> [SQLValue] {
        [
            .text(discount.code), try .json(discount.rule), .time(discount.startsAt),
            .time(discount.endsAt), .optional(discount.minimum?.amount), try .json(discount.products),
            try .json(discount.categories), .optional(discount.limit),
            .optional(discount.limitPerAccount),
        ]
    }

    private func record(_ row: SQLRow) throws -> DiscountRecord {
        let discount = Discount(
            id: try row.text(0),
            code: try row.text(1),
            rule: try row.json(2),
            startsAt: try row.optional(3, SQLRow.date),
            endsAt: try row.optional(4, SQLRow.date),
            minimum: try row.optional(5, SQLRow.integer).map { Money($0, currency) },
            products: try row.optionalJSON(6),
            categories: try row.optionalJSON(7),
            limit: try row.optional(8, SQLRow.int),
            limitPerAccount: try row.optional(9, SQLRow.int)
        )
        return DiscountRecord(discount: discount, used: try row.int(10))
    }
}
