import Foundation
import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var accounts: any AccountRepository { SQLAccounts(connection: connection) }
}

struct SQLAccounts: AccountRepository {
    let connection: any SQLConnection

    func insert(_ account: AccountRecord) throws -> Bool {
        let isNew =
            try connection.run(
                """
                INSERT INTO accounts (
                    role, staff_role, id, name, email, mobile_number, avatar_url, password_hash, created_at,
                    email_verified_at, is_searchable)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
                ON CONFLICT (email) DO NOTHING
                """,
                account.role.columns + [
                    .text(account.id), .text(account.name), .text(account.email),
                    .optional(account.mobileNumber), .optional(account.avatarURL), .text(account.passwordHash),
                    .time(account.createdAt), .time(account.emailVerifiedAt),
                ]) == 1
        if isNew { try terms.insert(SearchTerm.terms(ofAccount: account.name, email: account.email), of: account.id) }
        return isNew
    }

    private var terms: SQLSearchTerms { SQLSearchTerms(connection: connection) }

    /// Replaces the search terms of an account.
    ///
    /// - Parameter new: nil to delete them.
    private func replaceTerms(of id: String, by new: AccountRecord?) throws {
        guard let old = try account(id: id, locking: false), (old.name, old.email) != (new?.name, new?.email) else {
            return
        }
        try terms.delete(SearchTerm.terms(ofAccount: old.name, email: old.email), of: id)
        if let new { try terms.insert(SearchTerm.terms(ofAccount: new.name, email: new.email), of: id) }
    }

    private static let columns = """
        id, role, name, email, mobile_number, avatar_url, password_hash, created_at, email_verified_at, staff_role
        """

    func account(id: String, locking: Bool) throws -> AccountRecord? {
        try connection.row(id, of: "accounts", Self.columns, locking: locking).map(Self.record)
    }

    func account(email: String) throws -> AccountRecord? {
        try connection.row("SELECT \(Self.columns) FROM accounts WHERE email = ?", [.text(email)]).map(Self.record)
    }

    private static func record(_ row: SQLRow) throws -> AccountRecord {
        AccountRecord(
            id: try row.text(0), role: try AccountRecord.Role(row, 1, 9), name: try row.text(2),
            email: try row.text(3), mobileNumber: try row.optional(4, SQLRow.text),
            avatarURL: try row.optional(5, SQLRow.text), passwordHash: try row.text(6), createdAt: try row.date(7),
            emailVerifiedAt: try row.optional(8, SQLRow.date))
    }

    func update(_ account: AccountRecord) throws {
        try replaceTerms(of: account.id, by: account)
        try connection.run(
            """
            UPDATE accounts SET name = ?, mobile_number = ?, avatar_url = ?, password_hash = ?, email = ?,
                email_verified_at = ? WHERE id = ?
            """,
            [
                .text(account.name), .optional(account.mobileNumber), .optional(account.avatarURL),
                .text(account.passwordHash), .text(account.email), .time(account.emailVerifiedAt), .text(account.id),
            ])
    }

    func delete(id: String) throws {
        try replaceTerms(of: id, by: nil)
        try connection.run("DELETE FROM accounts WHERE id = ?", [.text(id)])
    }

    func noteNetwork(_ key: Data, accountId: String, at: Date, keeping limit: Int) throws -> KnownNetworks {
        let known = try connection.rows(
            "SELECT network FROM known_networks WHERE account_id = ?", [.text(accountId)]
        ).map { try $0.data(0) }
        try connection.run(
            """
            INSERT INTO known_networks (account_id, network, used_at) VALUES (?, ?, ?)
            ON CONFLICT (account_id, network) DO UPDATE SET used_at = excluded.used_at
            """, [.text(accountId), .blob(key), .time(at)])
        if known.contains(key) { return .same }
        try connection.run(
            """
            DELETE FROM known_networks WHERE account_id = ? AND network NOT IN (
                SELECT network FROM known_networks WHERE account_id = ? ORDER BY used_at DESC, network LIMIT ?
            )
            """, [.text(accountId), .text(accountId), .integer(limit)])
        return known.isEmpty ? .none : .others
    }

    func addresses(accountId: String) throws -> [Address] {
        try connection.rows("SELECT id, address FROM addresses WHERE account_id = ? ORDER BY id", [.text(accountId)])
            .map { try $0.json(1, Address.self).with(id: $0.text(0)) }
    }

    func insert(_ address: Address, id: String, accountId: String) throws {
        try connection.run(
            "INSERT INTO addresses (id, account_id, address) VALUES (?, ?, ?)",
            [.text(id), .text(accountId), try .json(address.with(id: nil))])
    }

    func update(_ address: Address, id: String, accountId: String) throws -> Bool {
        try connection.run(
            "UPDATE addresses SET address = ? WHERE id = ? AND account_id = ?",
            [try .json(address.with(id: nil)), .text(id), .text(accountId)]) == 1
    }

    func deleteAddress(id: String, accountId: String) throws -> Bool {
        try connection.run(
            "DELETE FROM addresses WHERE id = ? AND account_id = ?", [.text(id), .text(accountId)]) == 1
    }
}

extension ShopDatabase.Transaction {
    public var customers: any CustomerRepository { SQLCustomers(connection: connection, currency: currency) }
}

struct SQLCustomers: CustomerRepository {
    let connection: any SQLConnection
    let currency: Currency

    /// The sums read each customer's orders by the index of owners.
    private static let columns = """
        a.id, a.name, a.email, a.mobile_number, a.created_at,
        (SELECT COUNT(*) FROM orders o WHERE o.owner_id = a.id AND \(SQLFigures.isPaid)),
        CAST((SELECT COALESCE(\(SQLSum.saturating("o.payment_amount - o.refunded")), 0) FROM orders o
            WHERE o.owner_id = a.id AND \(SQLFigures.isPaid)) AS BIGINT)
        """

    func customers(matching terms: [SearchTerm], after id: String?, limit: Int) throws -> [Customer] {
        let (sql, arguments) = SQLSearchTerms.page(
            of: "accounts", "a", terms, [("a.role = ?", AccountRecord.Role.customer.columns[0])], after: id,
            limit: limit)
        return try connection.rows("SELECT \(Self.columns) \(sql)", arguments).map(customer)
    }

    func customer(id: String) throws -> Customer? {
        try connection.row(
            "SELECT \(Self.columns) FROM accounts a WHERE a.id = ? AND a.role = ?",
            [.text(id), AccountRecord.Role.customer.columns[0]]
        ).map(customer)
    }

    private func customer(_ row: SQLRow) throws -> Customer {
        Customer(
            id: try row.text(0), name: try row.text(1), email: try row.text(2),
            mobileNumber: try row.optional(3, SQLRow.text), createdAt: try row.date(4), orderCount: try row.int(5),
            spent: Money(try row.integer(6), currency))
    }
}
