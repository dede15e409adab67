import PouchSandbox
import ShopBenching

extension BenchShop {
    /// Serves the shop by two servers while the closure runs: one with a sandbox provider in its process, and one that
    /// calls another sandbox provider over HTTP, as with `--payments`.
    func run(_ body: @Sendable (_ inProcess: RunningShop, _ overHTTP: RunningShop) async throws -> Void) async throws {
        let (folder, inProcess) = (folder, try configuration())
        let ledger = try await SandboxLedger(path: folder.appending(path: "payments-over-http.sqlite").path)
        try await withSandbox(ledger, logLevel: .error) { port in
            guard let address = PeerAddress("http://127.0.0.1:\(port)") else { throw CancellationError() }
            var overHTTP = inProcess
            overHTTP.payments = .service(address, key: nil)
            try await Self.serve(inProcess, overHTTP, in: folder, body)
        }
    }

    /// Serves the shop by two servers while the closure runs, of which the second stores no events.
    func runWithoutEvents(
        _ body: @Sendable (_ whole: RunningShop, _ withoutEvents: RunningShop) async throws -> Void
    ) async throws {
        let whole = try configuration()
        var withoutEvents = whole
        withoutEvents.instrument = { EventlessDatabase(database: $0) }
        try await Self.serve(whole, withoutEvents, in: folder, body)
    }

    private static func serve(
        _ first: ServerConfiguration, _ second: ServerConfiguration, in folder: URL,
        _ body: @Sendable (RunningShop, RunningShop) async throws -> Void
    ) async throws {
        try await serve(first, in: folder) { one in try await serve(second, in: folder) { try await body(one, $0) } }
    }
}

/// A database that stores no events, to compare checkouts with.
private struct EventlessDatabase: DatabaseWrapper {
    let database: any Database

    func wrapped<Value>(_ body: @escaping SQLTransaction<Value>) -> SQLTransaction<Value> {
        { try body(Connection(base: $0)) }
    }

    private struct Connection: SQLConnection {
        let base: any SQLConnection

        var dialect: SQLDialect { base.dialect }
        func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int { try base.run(sql, arguments) }

        func send(_ sql: String, _ arguments: [SQLValue]) throws {
            if !sql.hasPrefix("INSERT INTO events ") { try base.send(sql, arguments) }
        }

        func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] { try base.rows(sql, arguments) }
        func script(_ sql: String) throws { try base.script(sql) }
        func notify(_ text: String, _ reach: NotificationReach) throws { try base.notify(text, reach) }
    }
}
