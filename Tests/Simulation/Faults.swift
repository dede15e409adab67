import SeededRandom
import ServerTesting

/// The store of a server. It passes everything on, except what a planted fault spoils.
struct PlantedStore: ImportStore {
    let store: ShopDatabase
    let world: World

    func read<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        try await store.read { [world] in try body(Transaction(base: $0, world: world)) }
    }

    func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        try await store.write(isolation) { [world] in try body(Transaction(base: $0, world: world)) }
    }

    struct Transaction: ImportRepositories {
        let base: ShopDatabase.Transaction
        let world: World

        var stock: any StockRepository {
            world.plant == .hold ? ForgetfulStock(base: base.stock, world: world) : base.stock
        }
        var idempotency: any IdempotencyRepository {
            world.plant == .key ? ForgetfulKeys(base: base.idempotency, world: world) : base.idempotency
        }

        var accounts: any AccountRepository { base.accounts }
        var sessions: any SessionRepository { base.sessions }
        var staff: any StaffRepository { base.staff }
        var secondFactors: any SecondFactorRepository { base.secondFactors }
        var apiKeys: any APIKeyRepository { base.apiKeys }
        var keys: any SigningKeyRepository { base.keys }
        var catalog: any CatalogRepository { base.catalog }
        var products: any ProductRepository { base.products }
        var taxonomy: any TaxonomyRepository { base.taxonomy }
        var variants: any VariantRepository { base.variants }
        var scheduledPrices: any ScheduledPriceRepository { base.scheduledPrices }
        var discounts: any DiscountRepository { base.discounts }
        var carts: any CartRepository { base.carts }
        var orders: any OrderRepository { base.orders }
        var refunds: any RefundRepository { base.refunds }
        var orderNotes: any OrderNoteRepository { base.orderNotes }
        var customers: any CustomerRepository { base.customers }
        var figures: any FigureRepository { base.figures }
        var events: any EventRepository { base.events }
        var webhooks: any WebhookRepository { base.webhooks }
        var audit: any AuditRepository { base.audit }
        var mails: any MailRepository { base.mails }
        var accountLinks: any AccountLinkRepository { base.accountLinks }
        var assets: any AssetRepository { base.assets }
        var rides: any RideRepository { base.rides }
        var drivers: any DriverRepository { base.drivers }
        var imports: any ImportRepository { base.imports }

        func confirmWritable() throws { try base.confirmWritable() }
    }
}

/// Stock that sometimes does not release held units.
private struct ForgetfulStock: StockRepository {
    let base: any StockRepository
    let world: World

    func release(_ units: [StockUnits]) throws {
        if world.chance(10) { return world.tell("planted fault: the units stay held") }
        try base.release(units)
    }

    func hold(_ units: [StockUnits]) throws -> [String: Int] { try base.hold(units) }
    func sell(_ units: [StockUnits]) throws { try base.sell(units) }
    func putBack(_ units: [StockUnits]) throws { try base.putBack(units) }
    func expiredHolds(at: Date) throws -> [String: Int] { try base.expiredHolds(at: at) }
}

/// Idempotency records that are sometimes not stored.
private struct ForgetfulKeys: IdempotencyRepository {
    let base: any IdempotencyRepository
    let world: World

    func insert(_ request: IdempotencyRecord.Request, subjectId: String?, at: Date) throws -> Bool {
        guard try base.insert(request, subjectId: subjectId, at: at) else { return false }
        if world.chance(10) {
            world.tell("planted fault: the key \(request.key) is not kept")
            try base.delete(ownerId: request.ownerId, key: request.key)
        }
        return true
    }

    func record(ownerId: String, key: String) throws -> IdempotencyRecord? {
        try base.record(ownerId: ownerId, key: key)
    }
    func complete(ownerId: String, key: String, answer: StoredAnswer) throws {
        try base.complete(ownerId: ownerId, key: key, answer: answer)
    }
    func complete(subjectId: String, answer: StoredAnswer) throws {
        try base.complete(subjectId: subjectId, answer: answer)
    }
    func deleteRunning(subjectId: String) throws { try base.deleteRunning(subjectId: subjectId) }
    func delete(ownerId: String, key: String) throws { try base.delete(ownerId: ownerId, key: key) }
    func delete(ownerId: String, key: String, createdBefore moment: Date) throws {
        try base.delete(ownerId: ownerId, key: key, createdBefore: moment)
    }
    func delete(ownerId: String) throws { try base.delete(ownerId: ownerId) }
    func move(from ownerId: String, to newOwnerId: String) throws { try base.move(from: ownerId, to: newOwnerId) }
    func purge(before: Date, limit: Int) throws -> Bool { try base.purge(before: before, limit: limit) }
}

/// The faults of a run.
enum Fault: Int, CaseIterable, Sendable {
    // A server and its database
    case crashBeforeCommit, crashAfterCommit, crashAnytime, overload, unavailable, fullDisk, commitLost, commitUnknown,
        repeatedBody
    // Messages to the payment provider
    case lostRequest, lostAnswer, lateRequest, doubledRequest, refusal, providerAway
    // Messages of buyers and administrators
    case lostMessage, doubledMessage, disconnect
    // The clock
    case clockForward, clockBack, night
}

/// The frequency of each fault in one run.
///
/// Each run has other faults, and some have none of a kind: faults that always come together hide the errors of each.
struct FaultRates {
    /// Per mille of the occasions.
    private var rates: [Int]

    private static let most: [Fault: Int] = [
        .crashBeforeCommit: 15, .crashAfterCommit: 15, .crashAnytime: 60, .overload: 20, .unavailable: 20,
        .fullDisk: 15, .commitLost: 15, .commitUnknown: 15, .repeatedBody: 100, .lostRequest: 120, .lostAnswer: 120,
        .lateRequest: 120, .doubledRequest: 150, .refusal: 80, .providerAway: 30, .lostMessage: 100,
        .doubledMessage: 250, .disconnect: 100, .night: 100, .clockForward: 500, .clockBack: 200,
    ]

    static let none = FaultRates(rates: Fault.allCases.map { _ in 0 })

    private init(rates: [Int]) { self.rates = rates }

    init(_ random: inout SplitMix64) {
        // Few runs have all faults, many have a few kinds.
        let share = [10, 30, 60, 90].randomElement(using: &random) ?? 50
        rates = Fault.allCases.map { fault in
            random.chance(share) ? Int.random(in: 1...(Self.most[fault] ?? 10), using: &random) : 0
        }
    }

    subscript(fault: Fault) -> Int { rates[fault.rawValue] }
}

/// A fault of the shop or the provider that is put in on purpose, to show that the simulation finds it.
enum Plant: String, CaseIterable, Sendable {
    /// One of ten releases of held units does nothing.
    case hold
    /// The provider pays a repeated refund again, one time of two.
    case refund
    /// One of ten records of requests with a key is not stored.
    case key
    /// One of ten mails and webhooks counts as taken, and is lost.
    case message
}
