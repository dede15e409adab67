import Foundation
import PouchDomain

extension ShopDatabase.Transaction {
    public var accountLinks: any AccountLinkRepository { SQLAccountLinks(connection: connection) }
}

struct SQLAccountLinks: AccountLinkRepository {
    let connection: any SQLConnection

    private static let columns = "id, purpose, account_id, email, created_at, expires_at"

    func insert(_ link: AccountLink) throws {
        try connection.run(
            "INSERT INTO account_links (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .text(link.id), .text(link.purpose.rawValue), .optional(link.accountId), .text(link.email),
                .time(link.createdAt), .time(link.expiresAt),
            ])
        if link.accountId == nil { try connection.announce(.linkRequested) }
    }

    func link(id: String) throws -> AccountLink? {
        try connection.row("SELECT \(Self.columns) FROM account_links WHERE id = ?", [.text(id)]).map(link)
    }

    private func link(_ row: SQLRow) throws -> AccountLink {
        AccountLink(
            id: try row.text(0), purpose: try row.value(1), accountId: try row.optional(2, SQLRow.text),
            email: try row.text(3), createdAt: try row.date(4), expiresAt: try row.date(5))
    }

    func remove(id: String) throws -> Bool {
        try connection.run("DELETE FROM account_links WHERE id = ?", [.text(id)]) == 1
    }

    func removeAll(accountId: String, purpose: SignedLink.Purpose, except email: String?) throws {
        try connection.run(
            "DELETE FROM account_links WHERE account_id = ? AND purpose = ? AND email <> ?",
            [.text(accountId), .text(purpose.rawValue), .text(email ?? "")])
    }

    func requests(limit: Int) throws -> [AccountLink] {
        try connection.rows(
            """
            SELECT \(Self.columns) FROM account_links WHERE account_id IS NULL ORDER BY created_at, id LIMIT ?
            """, [.integer(limit)]
        ).map(link)
    }

    func oldestRequest() throws -> Date? {
        try connection.date("SELECT MIN(created_at) FROM account_links WHERE account_id IS NULL")
    }

    func accept(id: String, accountId: String, expiresAt: Date) throws -> Bool {
        try connection.run(
            "UPDATE account_links SET account_id = ?, expires_at = ? WHERE id = ? AND account_id IS NULL",
            [.text(accountId), .time(expiresAt), .text(id)]) == 1
    }

    func purge(before: Date, limit: Int) throws -> Bool {
        try connection.run(
            """
            DELETE FROM account_links WHERE id IN (
                SELECT id FROM account_links WHERE expires_at < ? ORDER BY expires_at LIMIT ?
            )
            """, [.time(before), .integer(limit)]) == limit
    }
}
