import AsyncHTTPClient
import PouchClient
import PouchNetwork
import PouchPersistence
import ServerTesting
import Synchronization
import ToolArguments

@main
struct ChaosProgram {
    static func main() async throws {
        let arguments = ToolArguments.read(
            help: """
                usage: chaos [SHOPPERS [SEED]]

                Runs shoppers over bad networks, and compares the books. Runs on SQLite, or on the PostgreSQL server in
                POUCH_TEST_POSTGRES.

                  SHOPPERS  how many (1000)
                  SEED      the seed of the first (a random one)

                Exits with 1 and keeps its files if it finds violations.
                """, words: 0...2)
        let numbers = ToolArguments.accepting { () throws(ToolArguments.Refusal) in try arguments.numbers() }
        let first = numbers.dropFirst().first ?? UInt64.random(in: 1...999_999)
        let shoppers = max(1, numbers.first ?? 1000)
        try await AttackOutcome.report { folder, progress in
            try await Chaos(seeds: first..<first + shoppers).run(in: folder) { done in
                progress("\(done) of \(shoppers) shoppers")
            }
        }
    }
}

/// Shoppers of one shop, each with a seed and a bad network of its own.
public struct Chaos: Sendable {
    public let seeds: Range<UInt64>
    /// The percentage of requests that are harmed.
    public let harm: Int

    public init(seeds: Range<UInt64>, harm: Int = 25) {
        self.seeds = seeds
        self.harm = harm
    }

    private static let atOnce = 16

    public func run(in folder: URL, progress: @escaping @Sendable (Int) -> Void = { _ in }) async throws
        -> AttackOutcome
    {
        let start = ContinuousClock.now
        return try await ChaosShop.running(in: folder) { shop in
            var reports: [ShopperReport] = []
            let client = HTTPClient()
            try await withCleanup({ try await client.shutdown() }) {
                try await withThrowingTaskGroup(of: ShopperReport.self) { group in
                    var waiting = seeds.makeIterator()
                    func startNext() {
                        guard let seed = waiting.next() else { return }
                        group.addTask {
                            try await Shopper.shop(seed: seed, at: shop.port, harm: harm, client: client, in: folder)
                        }
                    }
                    for _ in 0..<Self.atOnce { startNext() }
                    while let report = try await group.next() {
                        reports.append(report)
                        progress(reports.count)
                        startNext()
                    }
                }
            }
            let orders = reports.reduce(0) { $0 + $1.orders.count }
            return AttackOutcome(
                violations: reports.flatMap(\.violations) + (try await shop.violations(orders: orders)),
                summary: summary(reports, took: ContinuousClock.now - start))
        }
    }

    private func summary(_ reports: [ShopperReport], took duration: Duration) -> String {
        let fates = reports.reduce(into: [Fate: Int]()) { $0.merge($1.fates, uniquingKeysWith: +) }
        let sum = { (count: KeyPath<ShopperReport, Int>) in reports.reduce(0) { $0 + $1[keyPath: count] } }
        let harms = Fate.allCases.map { "\(fates[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
        return """
            \(reports.count) shoppers, seeds \(seeds.lowerBound) to \(seeds.upperBound - 1), \(duration.components.seconds) s
            \(fates.values.reduce(0, +)) requests: \(harms)
            \(reports.reduce(0) { $0 + $1.orders.count }) orders, \(sum(\.restarts)) restarts, \
            \(sum(\.openOutcomes)) calls made again, \(sum(\.refusedEdits)) edits reported as refused
            """
    }
}

/// A shop in this process with plenty of stock, and its books.
struct ChaosShop: Sendable {
    static let stock = 1_000_000
    static let skus = ["cap", "scarf", "coat-s", "coat-m"]
    private static let feed =
        "Handle,Title,Type,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price\n"
            + """
            cap,Cap,Hats,Title,Default Title,cap,\(stock),10.00
            scarf,Scarf,Scarves,Title,Default Title,scarf,\(stock),42.99
            coat,Coat,Coats,Size,S,coat-s,\(stock),129.00
            coat,,,,M,coat-m,\(stock),129.00

            """

    let port: Int
    private let database: DatabaseAddress
    private let ledger: DatabaseAddress

    static func running<Value: Sendable>(
        in folder: URL, _ body: @Sendable (ChaosShop) async throws -> Value
    ) async throws -> Value {
        var configuration = ServerConfiguration(database: try await TestDatabase(in: folder).address)
        // All clients have the address of this machine.
        configuration.policy.newSessions = nil
        configuration.dataFolder = folder
        configuration.passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
        (configuration.jobInterval, configuration.settlementInterval) = (.milliseconds(50), .milliseconds(50))
        let file = folder.appending(path: "feed.csv")
        try feed.write(to: file, atomically: true, encoding: .utf8)
        let (address, ledger) = (configuration.database, DatabaseAddress(path: configuration.sandboxLedgerPath))
        return try await withServer(configuration, importing: FeedFormat.shopifyCSV.reader(at: file, currency: .eur)) {
            try await body(ChaosShop(port: $1, database: address, ledger: ledger))
        }
    }

    /// Compares orders, charges and stock after all shoppers have finished.
    func violations(orders: Int) async throws -> [String] {
        var wrong: [String] = []
        func check(_ holds: Bool, _ text: String) { if !holds { wrong.append(text) } }
        let (found, unpaid, held) = try await database.read { connection in
            func number(_ query: String) throws -> Int { try connection.row("SELECT " + query, [])?.int(0) ?? -1 }
            return (
                try number("COUNT(*) FROM orders WHERE status = 'paid'"),
                try number("COUNT(*) FROM orders WHERE status <> 'paid'"), try number("SUM(held) FROM stock")
            )
        }
        let charges = try await ledger.read {
            try $0.row("SELECT COUNT(*) FROM charges WHERE captured > 0", [])?.int(0) ?? 0
        }
        check(found == orders, "the shop has \(found) paid orders, the shoppers received \(orders)")
        check(unpaid == 0, "\(unpaid) orders are not paid")
        check(charges == orders, "the provider has \(charges) charges for \(orders) orders")
        check(held == 0, "\(held) units are still held")
        return wrong
    }
}

/// The state that survives the end of a program: the session, and a database, or memory, which is faster.
struct Device: Sendable {
    let sessions = DeviceSessionStore()
    let memory = MemoryStore()
    /// The file of the database; nil for memory.
    let file: URL?

    /// Opens the store for a program that starts. The program before it may not have closed its database.
    func store() async throws -> any LocalStore {
        guard let file else { return memory }
        return try await SQLiteStore.open(at: file)
    }
}

/// Stores a session as a device does, and can make its access token useless.
actor DeviceSessionStore {
    private var session: Data?

    func load() -> Data? { session }

    /// Checks here that the program runs: between a check elsewhere and this call, the program can end and the next one
    /// load the store.
    func save(_ session: Data, of program: Program) throws {
        try program.checkRuns()
        self.session = session
    }

    func clear(of program: Program) throws {
        try program.checkRuns()
        session = nil
    }

    /// Replaces the access token with an expired or an unknown one for the next client that loads the session.
    func spoil(looksExpired: Bool) throws {
        guard let session, var fields = try JSONSerialization.jsonObject(with: session) as? [String: Any],
            var tokens = fields["remoteSession"] as? [String: Any]
        else { return }
        if looksExpired {
            tokens["accessTokenExpiresAt"] = "2020-01-01T00:00:00.000Z"
        } else {
            tokens["accessToken"] = "unknown"
        }
        fields["remoteSession"] = tokens
        self.session = try JSONSerialization.data(withJSONObject: fields)
    }
}

/// One run of a shopper's program. After its end, it can use neither the network nor the session, like a killed
/// process.
final class Program: Transport, SessionStore {
    private let transport: any Transport
    private let sessions: DeviceSessionStore
    private let hasEnded = Atomic(false)

    init(_ transport: any Transport, _ sessions: DeviceSessionStore) {
        self.transport = transport
        self.sessions = sessions
    }

    func end() { hasEnded.store(true, ordering: .relaxed) }

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        if hasEnded.load(ordering: .relaxed) { throw .unreachable("the program has ended") }
        let response = try await transport.send(request)
        if hasEnded.load(ordering: .relaxed) { throw .connectionLost("the program has ended") }
        return response
    }

    func load() async throws -> Data? { await sessions.load() }
    func save(_ session: Data) async throws { try await sessions.save(session, of: self) }
    func clear() async throws { try await sessions.clear(of: self) }

    fileprivate func checkRuns() throws(NetworkError) {
        if hasEnded.load(ordering: .relaxed) { throw .unreachable("the program has ended") }
    }
}
