/// The durable data of a shop, read and written in transactions.
///
///     let order = try await store.write { repositories in
///         try orders.fulfil(orderId: id, ifMatch: nil, in: repositories)
///     }
///
/// The closures run on threads of the store, never on the cooperative pool: they may take long, but must not wait for
/// anything else.
///
/// A module with its own repositories refines `Repositories`, and `Store` with that type of transaction. A shop's only
/// store conforms to all of them.
public protocol Store<Transaction>: Sendable {
    associatedtype Transaction: Repositories
    typealias Body<Value> = @Sendable (Transaction) throws -> Value

    /// Runs the body on one consistent state of the data.
    func read<Value: Sendable>(_ body: @escaping Body<Value>) async throws -> Value

    /// Runs the body in one transaction, which is durable when this returns. If the body throws, the transaction is
    /// rolled back and the error rethrown. The body may run more than once.
    ///
    /// - Throws: `OverloadError` when too many transactions wait, or conflicts repeat too often.
    func write<Value: Sendable>(_ isolation: Isolation, _ body: @escaping Body<Value>) async throws -> Value
}

extension Store {
    public func write<Value: Sendable>(_ body: @escaping Body<Value>) async throws -> Value {
        try await write(.serializable, body)
    }

    /// Reads in a transaction that first checks the principal's session and its requirements.
    ///
    /// - Throws: the errors of `Principal.checkSession` and of the body.
    package func read<Value: Sendable>(for principal: Principal, _ body: @escaping Body<Value>) async throws -> Value {
        try await read { repositories in
            try principal.checkSession(in: repositories)
            return try body(repositories)
        }
    }

    /// Writes in a transaction that first checks the principal's session and its requirements.
    ///
    /// - Throws: the errors of `Principal.checkSession` and of the body.
    package func write<Value: Sendable>(
        for principal: Principal, _ isolation: Isolation = .serializable, _ body: @escaping Body<Value>
    ) async throws -> Value {
        try await write(isolation) { repositories in
            try principal.checkSession(isolation, in: repositories)
            return try body(repositories)
        }
    }

    /// Runs the body in one transaction after another until it returns false, for work in short transactions.
    ///
    /// - Throws: `CancellationError` between two transactions of a cancelled task.
    public func writeInParts(_ isolation: Isolation = .serializable, _ body: @escaping Body<Bool>) async throws {
        while try await write(isolation, body) { try Task.checkCancellation() }
    }
}

/// The repositories of one transaction.
public protocol Repositories {
    var accounts: any AccountRepository { get }
    var accountLinks: any AccountLinkRepository { get }
    var sessions: any SessionRepository { get }
    var staff: any StaffRepository { get }
    var secondFactors: any SecondFactorRepository { get }
    var apiKeys: any APIKeyRepository { get }
    var keys: any SigningKeyRepository { get }
    var catalog: any CatalogRepository { get }
    var products: any ProductRepository { get }
    var taxonomy: any TaxonomyRepository { get }
    var stock: any StockRepository { get }
    var variants: any VariantRepository { get }
    var scheduledPrices: any ScheduledPriceRepository { get }
    var discounts: any DiscountRepository { get }
    var carts: any CartRepository { get }
    var orders: any OrderRepository { get }
    var refunds: any RefundRepository { get }
    var orderNotes: any OrderNoteRepository { get }
    var customers: any CustomerRepository { get }
    var figures: any FigureRepository { get }
    var idempotency: any IdempotencyRepository { get }
    var events: any EventRepository { get }
    var webhooks: any WebhookRepository { get }
    var audit: any AuditRepository { get }
    var mails: any MailRepository { get }
    var assets: any AssetRepository { get }
    var rides: any RideRepository { get }
    var drivers: any DriverRepository { get }

    /// Changes nothing but, like a change, fails here or at the commit if the store accepts no changes.
    func confirmWritable() throws
}

/// The isolation of concurrent transactions. An embedded database runs one at a time, so both cases are the same; a
/// database server may run the body again after a conflict.
public enum Isolation: Sendable {
    /// Isolated as if it ran alone: its reads are still valid when it commits.
    case serializable
    /// Protects only the rows that it writes, so that many transactions can wait for one row without failing. Every
    /// statement that writes must include its own condition.
    case readCommitted
}

/// The queue is full; retry later.
public struct OverloadError: Error {
    public let retryAfterSeconds: Int

    public init(retryAfterSeconds: Int) {
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// The store is unreachable. Nothing was changed; the same transaction may succeed in a moment.
public struct UnavailableError: Error {
    /// The reason for logs, never for responses.
    public let reason: String
    /// Whether the store's disk is full, which lasts until there is free space again.
    public let isFull: Bool

    public init(reason: String, isFull: Bool = false) {
        self.reason = reason
        self.isFull = isFull
    }
}

/// A conflict with another transaction, thrown inside the body to run it again.
public struct TransactionConflict: Error {
    public init() {}
}

/// The connection was lost during a commit, so the transaction has taken effect either completely or not at all.
///
/// The caller can read the data to find out, or repeat the transaction if it takes effect only once: with the same
/// idempotency key, or with a condition on the previous state.
public struct CommitUnknownError: Error {
    public init() {}
}
