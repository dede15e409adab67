import HTTPTypes
import Hummingbird
import NIOCore
import SeededRandom
import ServerTesting
import Subprocess
import Synchronization
import SystemPackage

/// The servers of one shop and the payment provider, each in its own process.
struct Fleet: Sendable {
    let shops: [ServedProgram]
    let provider: ServedProgram

    private static let count = TestDatabase.isPostgres ? 3 : 1

    /// The database and the number of servers, for people to read.
    static let setup = TestDatabase.isPostgres ? "PostgreSQL, \(count) servers" : "SQLite, 1 server"

    static func start(_ executable: FilePath, database: String, options: [String], folder: URL) async throws -> Fleet {
        func program(_ name: String, _ arguments: [String]) -> ServedProgram {
            ServedProgram(
                executable, arguments + ["--log-level", "error"],
                log: FilePath(folder.appending(path: name + ".log").path))
        }
        let ledger = folder.appending(path: "ledger.sqlite").path
        // Below the ports that the system gives to connections, since the provider restarts on the same port.
        var provider: ServedProgram?
        var address = ""
        for _ in 0..<20 where provider == nil {
            let port = Int.random(in: 20_000..<30_000)
            let candidate = program("provider", ["sandbox-payments", "--port", "\(port)", "--ledger", ledger])
            if (try? await candidate.start()) != nil {
                provider = candidate
                address = "http://127.0.0.1:\(port)"
            }
        }
        guard let provider else { throw ServedProgram.DidNotStart(arguments: ["sandbox-payments"]) }
        let shops = (1...count).map { number in
            program(
                "shop-\(number)",
                [
                    "serve", "--port", "0", "--database", database, "--payments", address, "--new-sessions", "0",
                    "--declined-payments", "0", "--trusted-proxies", "127.0.0.1",
                ] + options)
        }
        for shop in shops { try await shop.start() }
        return Fleet(shops: shops, provider: provider)
    }

    static func kill(_ victims: [ServedProgram]) async throws {
        for victim in victims { try await victim.end(.kill) }
        try await withThrowingDiscardingTaskGroup { group in
            for victim in victims { group.addTask { try await victim.start() } }
        }
    }

    /// Returns the address of a random server, or nil if that server is not running.
    func shop(_ random: inout SplitMix64) async -> String? {
        guard let shop = shops.randomElement(using: &random), let port = await shop.port else { return nil }
        return "http://127.0.0.1:\(port)"
    }

    func end(_ signal: Signal = .terminate) async throws {
        for program in shops + [provider] { try await program.end(signal) }
    }
}

/// A server process that can be killed and started again.
actor ServedProgram {
    private struct Running {
        let port: Int
        let kill: @Sendable (Signal) throws -> Void
        let end: Task<Void, any Error>
    }

    struct DidNotStart: Error { let arguments: [String] }

    private let executable: FilePath
    private let arguments: [String]
    private let log: FilePath
    private var running: Running?

    /// - Parameter log: A file to which standard error is appended.
    init(_ executable: FilePath, _ arguments: [String], log: FilePath) {
        self.executable = executable
        self.arguments = arguments
        self.log = log
    }

    /// The port of the server; nil while it is not running.
    var port: Int? { running?.port }

    /// Starts the process and waits until it listens.
    func start() async throws {
        let (started, report) = AsyncStream.makeStream(of: (Int, @Sendable (Signal) throws -> Void).self)
        let end = Task { [executable, arguments, log] in
            defer { report.finish() }
            let errors = try FileDescriptor.open(
                log, .writeOnly, options: [.create, .append], permissions: .ownerReadWrite)
            _ = try await Subprocess.run(
                .path(executable), arguments: Arguments(arguments), environment: .pouch(), input: .none,
                output: .sequence, error: .fileDescriptor(errors, closeAfterSpawningProcess: true)
            ) { execution in
                for try await line in execution.standardOutput.strings() {
                    if let match = line.firstMatch(of: #/http://127\.0\.0\.1:(\d+)/#), let port = Int(match.1) {
                        report.yield((port, { try execution.send(signal: $0) }))
                    }
                }
            }
        }
        guard let (port, kill) = await started.first(where: { _ in true }) else {
            try await end.value
            throw DidNotStart(arguments: arguments)
        }
        running = Running(port: port, kill: kill, end: end)
    }

    /// Sends the signal and waits until the process has ended.
    func end(_ signal: Signal) async throws {
        guard let running else { return }
        self.running = nil
        try running.kill(signal)
        try await running.end.value
    }
}

/// The receivers of a shop: one of webhooks in this process, and a folder of mails.
final class Outside: Sendable {
    private struct Received {
        /// The ids of the events, in the order in which each arrived first.
        var events: [String] = []
        var bodies: [String: Data] = [:]
        var repetitions = 0
        /// The events that came again with another body.
        var changed: Set<String> = []
    }

    private let received = Mutex(Received())
    private let mails: URL

    private init(mails: URL) { self.mails = mails }

    /// Receives webhooks during the body.
    ///
    /// - Parameters:
    ///   - folder: gets a folder with the mails.
    ///   - body: gets the address of the receiver, too.
    static func run<Value: Sendable>(
        in folder: URL, _ body: @escaping @Sendable (Outside, _ url: String) async throws -> Value
    ) async throws -> Value {
        let outside = Outside(mails: folder.appending(path: "mails"))
        return try await withApplication(outside.router) { try await body(outside, $0 + "/hook") }
    }

    private var router: Router<BasicRequestContext> {
        let router = Router()
        router.post("/hook") { request, _ in
            let bytes = Data(try await request.body.collect(upTo: 1 << 20).readableBytesView)
            guard let id = HTTPField.Name("webhook-id").flatMap({ request.headers[$0] }) else {
                return HTTPResponse.Status.badRequest
            }
            self.receive(id, bytes)
            return .noContent
        }
        return router
    }

    private func receive(_ id: String, _ body: Data) {
        received.withLock { received in
            if let before = received.bodies.updateValue(body, forKey: id) {
                received.repetitions += 1
                if before != body { received.changed.insert(id) }
            } else {
                received.events.append(id)
            }
        }
    }

    /// The options with which servers write to it.
    var options: [String] {
        [
            "--allow-private-webhooks", "--mail", "folder:\(mails.path)", "--mail-from",
            "The Burrow <shop@example.com>", "--public-url", "https://shop.example.com",
        ]
    }

    /// Waits until nothing waits any more, within the bound, and compares what has arrived with the events.
    func violations(
        _ events: [EventRecord], _ orders: [OrderRecord], in database: any Database, within bound: Duration
    ) async throws -> [String] {
        // A server that was killed while it sent holds that mail for seven minutes, which pass here.
        try await database.write { _ = try $0.rows("UPDATE mails SET due_at = 0 WHERE due_at IS NOT NULL", []) }
        let end = ContinuousClock.now + bound
        while try await isWaiting(database), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(100)) }
        let books = DeliveryBooks(events, orders)
        let queued = try await database.read { try DeliveryBooks.Mail.all(in: $0) }
        let (arrived, changed) = received.withLock { ($0.events, $0.changed) }
        return books.violations(webhooks: arrived) + books.violations(mails: queued, arrived: arrivedMails)
            + changed.sorted().map { "the webhook of the event \($0) came again with another body" }
    }

    private func isWaiting(_ database: any Database) async throws -> Bool {
        let places = try await ShopDatabase(database, currency: .eur).read { repositories in
            (all: try repositories.events.positions(), last: try repositories.events.lastPosition())
        }
        if ["webhooks", "mail"].contains(where: { (places.all[$0] ?? 0) < places.last }) { return true }
        return try await database.read { connection in
            try ["webhook_deliveries WHERE status = 'pending'", "mails WHERE due_at IS NOT NULL"].contains {
                try !connection.rows("SELECT 1 FROM \($0) LIMIT 1", []).isEmpty
            }
        }
    }

    var summary: String {
        let (events, repetitions) = received.withLock { ($0.events.count, $0.repetitions) }
        return "webhooks: \(events), \(repetitions) of them again; mails: \(arrivedMails.count)"
    }

    /// The ids of the mails, after which the files are named.
    private var arrivedMails: Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: mails.path)) ?? []
        return Set(names.filter { $0.hasSuffix(".eml") }.map { String($0.dropLast(4)) })
    }
}
