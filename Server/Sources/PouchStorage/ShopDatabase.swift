import PouchDomain
import PouchEntities
import PouchImport

/// The database of a shop, and the only store of all its services.
///
///     let store = ShopDatabase(try SQLiteDatabase(path: path), currency: .eur)
///     let version = try await store.read { try $0.catalog.version() }
public struct ShopDatabase: ImportStore {
    private let database: any Database
    private let currency: Currency
    private let time: any TimeSource

    /// - Parameter currency: the shop's currency, for amounts in the catalogue and in carts.
    public init(_ database: any Database, currency: Currency, time: any TimeSource = SystemTime()) {
        self.database = database
        self.currency = currency
        self.time = time
    }

    public func read<Value: Sendable>(_ body: @escaping Body<Value>) async throws -> Value {
        try await database.read { try body(transaction($0)) }
    }

    public func write<Value: Sendable>(_ isolation: Isolation, _ body: @escaping Body<Value>) async throws -> Value {
        try await database.write(isolation) { try body(transaction($0)) }
    }

    /// The announcements of transactions since the call, each of which may have left background work. Ends when the
    /// database is closed.
    public func announcements() -> AsyncStream<DatabaseNotification> { database.notifications() }

    private func transaction(_ connection: any SQLConnection) -> Transaction {
        Transaction(connection: connection, currency: currency, time: time)
    }

    /// All repositories, on the connection of one transaction. Each is declared next to its SQL.
    public struct Transaction: ImportRepositories {
        let connection: any SQLConnection
        let currency: Currency
        let time: any TimeSource

        public func confirmWritable() throws {
            try connection.run("UPDATE shop SET currency = currency", [])
        }
    }
}

/// The currency of a database. Amounts are stored in its minor units, so the first server to open the database
/// determines it.
public enum ShopCurrency {
    /// - Parameter wanted: nil for the database's own currency, and the euro in a new one.
    /// - Throws: `StorageError.currencyMismatch`.
    public static func settle(_ wanted: Currency?, in database: any Database) async throws -> Currency {
        let first = wanted ?? .eur
        return try await database.write { connection in
            try connection.run(
                "INSERT INTO shop (singleton, currency) VALUES (1, ?) ON CONFLICT (singleton) DO NOTHING",
                [.text(first.code)])
            return try check(wanted, connection) ?? first
        }
    }

    /// Checks the currency of settings, and changes nothing.
    ///
    /// - Returns: the currency of the database; nil in one without a shop.
    /// - Throws: `StorageError.currencyMismatch`.
    public static func check(_ wanted: Currency?, _ connection: any SQLConnection) throws -> Currency? {
        guard let currency = try connection.row("SELECT currency FROM shop", [])?.currency(0) else { return nil }
        if let wanted, wanted != currency {
            throw StorageError.currencyMismatch(stored: currency.code, wanted: wanted.code)
        }
        return currency
    }
}

/// A change after which background work is due immediately. The transaction that makes the change announces it.
public enum Announcement: String, Sendable {
    case importReceived = "import"
    case rideRequested = "ride"
    case catalogChanged = "catalog"
    case mailQueued = "mail"
    case linkRequested = "link"
    /// Events without positions were appended.
    case eventsAppended = "events"
    /// Events were assigned positions.
    case eventsNumbered = "numbered"
    /// A delivery to a webhook may have become due.
    case deliveryDue = "delivery"

    /// This process can do the work that follows from events, which are part of each checkout.
    var reach: NotificationReach {
        switch self {
        case .eventsAppended, .eventsNumbered, .deliveryDue: .process
        case .importReceived, .rideRequested, .catalogChanged, .mailQueued, .linkRequested: .everyone
        }
    }
}

extension SQLConnection {
    func announce(_ announcement: Announcement) throws {
        try notify(announcement.rawValue, announcement.reach)
    }
}
