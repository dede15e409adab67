import Foundation
import SeededRandom
import ServerTesting
import Subprocess
import SystemPackage

/// The servers of one shop and the payment provider, each in its own process.
struct Fleet: Sendable {
    let shops: [ServedProgram]
    let provider: ServedProgram

    private static let count = TestDatabase.isPostgres ? 3 : 1

    /// The database and the number of servers, for people to read.
    static let setup = TestDatabase.isPostgres ? "PostgreSQL, \(count) servers" : "SQLite, 1 server"

    /// Starts all processes.
    ///
    /// - Parameter options: Further options of the servers.
    static func start(
        _ executable: FilePath, database: String, options: [String], folder: URL
    ) async throws -> Fleet {
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

    /// Kills the programs and starts them again.
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
                .path(executable), arguments: Arguments(arguments), environment: Self.environment, input: .none,
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

    /// The environment of this process without the settings of a shop.
    private static var environment: Environment {
        var changes: [Environment.Key: String?] = [:]
        for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix("POUCH_") {
            changes[Environment.Key(stringLiteral: name)] = .some(nil)
        }
        return .inherit.updating(changes)
    }
}
