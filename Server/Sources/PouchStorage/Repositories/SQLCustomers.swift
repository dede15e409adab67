import PouchDomain
import PouchEntities

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
