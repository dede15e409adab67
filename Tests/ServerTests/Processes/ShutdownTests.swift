import PouchSandbox
import ServerTesting
import Subprocess
import Testing

@Suite("The end of the server process", .timeLimit(.minutes(10)), .inFolder)
struct ShutdownProcessTests {
    private let folder = TemporaryFolder.current

    @Test(arguments: [Signal.terminate, .interrupt])
    func `A signal ends the server with 0 after the payments in progress are answered`(signal: Signal) async throws {
        let database = try await ShopFolder.stocked(folder)
        try await ServerProgram.serve("--port", "0", "--database", database, signal: signal) { server in
            let guest = try await server.guest()
            async let orders = parallel(8) { _ in try await guest.buyNow("cap", card: "tok_slow").good() }
            // Waits until the purchases hold their units.
            try await eventually { try await server.available() == 2 }
            try server.end()
            #expect(try await orders.map(\.status) == Array(repeating: .paid, count: 8))
        }.good()
        #expect(try await ShopFolder.available(in: database) == 2)
    }

    @Test func `An unfinished request does not keep the server from stopping`() async throws {
        let kept = Box<RawConnection>()
        let start = Box<ContinuousClock.Instant>()
        try await ServerProgram.serve(on: try await TestDatabase(in: folder).text) { server in
            let connection = try RawConnection(port: server.port)
            try connection.send("POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
            await kept.set(connection)
            // Makes sure that the server has accepted the first connection.
            _ = try await server.anyone.call(Contract.seasons).good()
            await start.set(.now)
        }
        let took = try #require(await start.value).duration(to: .now)
        // The server aborts it after 30 s at the latest. A busy machine may need longer for the rest.
        #expect(took < .seconds(180), "\(took)")
    }

    @Test(arguments: ["--port", "--metrics-port"])
    func `A used port is reported in one sentence before the shop is served, with code 1`(option: String) async throws {
        let database = try await TestDatabase(in: folder).text
        try await ServerProgram.serve(on: database) { server in
            let ports = (option == "--port" ? [] : ["--port", "0"]) + [option, "\(server.port)"]
            let arguments = ["serve", "--database", database, "--log-level", "error"]
            let second = try await ServerProgram.run(arguments + ports)
            #expect(second.status == .exited(1) && second.output.isEmpty)
            let sentence = "127.0.0.1:\(server.port) is in use by another program. Choose another \(option)."
            #expect(second.errors == "Error: \(sentence)\n")
        }
    }

    @Test func `The hint for the first owner names the server's own database, until there is an owner`() async throws {
        let database = try await TestDatabase(in: folder).text
        let config = try folder.file("the server.json", #"{"database": "\#(database)", "port": 0}"#)
        let create = "pouch-server admin create"
        let first = try await ServerProgram.serve("--config", config) { _ in }
        #expect(first.output.contains("\(create) --config '\(config)' --email ADDRESS"), "\(first.output)")
        let second = try await ServerProgram.serve(on: database, "--client", "programs/pouch") { _ in }
        for text in ["  programs/\(create) --database", database] { #expect(second.output.contains(text), "\(text)") }
        try await ServerProgram.run(
            "admin", "create", "--email", "ada@example.com", "--config", config, input: .password + "\n"
        ).good()
        let third = try await ServerProgram.serve("--config", config) { _ in }
        #expect(third.output.contains("Pouch serves") && !third.output.contains(create), "\(third.output)")
    }

    @Test func `Each request is logged with its id and without its query`() async throws {
        let id = Box<String>()
        let outcome = try await ServerProgram.serve(on: try await TestDatabase(in: folder).text) { server in
            await id.set(try await server.anyone.send("GET", "/v1/products?q=secret").header("Request-Id"))
        }
        let line = outcome.errors.split(separator: "\n").first { $0.contains("/v1/products") }
        #expect(line?.contains(try #require(await id.value)) == true)
        #expect(!outcome.errors.contains("secret"))
    }

    @Test(arguments: ["in process", "over HTTP"])
    func `A server killed between charge and answer returns the paid order and charges once`(
        payments: String
    ) async throws {
        let database = try await ShopFolder.stocked(folder)
        // The second process on the ledger that a shop keeps in its data folder.
        let ledger = folder.appending(path: "sandbox-payments.sqlite").path
        _ = try await ServerProgram.serveSandbox("--port", "0", "--ledger", ledger) { sandbox in
            let arguments =
                ["--port", "0", "--database", database, "--data", folder.path]
                + (payments == "in process" ? [] : ["--payments", "http://127.0.0.1:\(sandbox.port)"])
            let guest = Box<Caller>()
            let killed = try await ServerProgram.serve(arguments, signal: .kill) { shop in
                let buyer = try await shop.guest()
                await guest.set(buyer)
                // The provider books this at once and does not answer.
                let purchase = Task { try await buyer.buyNow("cap", card: "tok_lost", key: "once") }
                try await eventually { try await sandbox.anyone.charges().items.map(\.status) == [.captured] }
                try shop.end()
                await #expect(throws: (any Error).self) { try await purchase.value }
            }
            #expect(killed.status == .signaled(9))
            _ = try await ServerProgram.serve(arguments) { shop in
                let buyer = shop.caller(try #require(await guest.value?.session))
                func again() async throws -> Answered<Order> {
                    try await buyer.buyNow("cap", card: "tok_lost", key: "once")
                }
                // The purchase is settled 15 seconds after it began, which a slow start can take.
                let first = try await again()
                if first.status != 201 { try first.problem(.idempotencyKeyInUse) }
                try await eventually { try await again().status == 201 }
                let answer = try await again()
                #expect(try answer.good().status == .paid && answer.replayed == "true")
                #expect(try await again().body == answer.body)
            }
            #expect(try await sandbox.anyone.charges().items.count == 1)
        }
    }

    @Test func `After SIGTERM under load, the stored purchases are exactly those that were answered`() async throws {
        let database = try await ShopFolder.stocked(folder)
        let answered = Box<Int>()
        let feed = try ShopFolder.csv(folder, "more", products: [("hat", 5_000)])
        try await ServerProgram.run("import", "--format", "shopify-csv", "--database", database, feed).good()
        try await ServerProgram.serve(on: database) { shop in
            let buyers = try await parallel(12) { _ in try await shop.guest() }
            async let sold = parallel(12) { index in
                var sold = 0
                while let answer = try? await buyers[index].buyNow("hat") {
                    // A refusal is fine, but not in the middle of a purchase.
                    guard answer.status == 201 else { break }
                    sold += 1
                }
                return sold
            }
            try await eventually { try await shop.available("hat") ?? 5_000 < 4_970 }
            try shop.end()
            await answered.set(try await sold.reduce(0, +))
        }
        let left = 5_000 - (try #require(await answered.value))
        #expect(try await ShopFolder.available("hat", in: database) == left)
    }
}

/// Faults of the machine under a server process. `make faults` gives them a small disk.
@Suite(
    "Faults of the machine", .serialized, .enabled(if: SmallDisk.folder != nil && !TestDatabase.isPostgres),
    .timeLimit(.minutes(10)), .inFolder(of: SmallDisk.folder))
struct FaultProcessTests {
    private let folder = TemporaryFolder.current

    private func isReady(_ server: ServerProgram.Serving) async throws -> Bool {
        let answer = try await server.anyone.call(Contract.healthReady)
        if answer.status != 200 { expectUnavailable(answer) }
        return answer.status == 200
    }

    private func expectUnavailable<Value>(_ answer: Answered<Value>) {
        #expect(answer.status == 503 && answer.header("Retry-After") != nil, "\(answer.status) \(answer.text)")
        #expect(answer.text.contains(#""code":"unavailable""#), "\(answer.text)")
    }

    /// Buys single caps until the shop stores nothing more, and returns the number of acknowledged orders.
    private func buyUntilRefused(_ buyer: Caller) async throws -> Int {
        for count in 0..<500 {
            let answer = try await buyer.buyNow()
            guard answer.status != 201 else { continue }
            expectUnavailable(answer)
            return count
        }
        Issue.record("500 orders fit on a full disk.")
        return 0
    }

    private func run(_ program: String, _ arguments: String...) async throws {
        let result = try await Subprocess.run(
            .name(program), arguments: Arguments(arguments), input: .none, output: .discarded,
            error: .string(limit: 4_096))
        try #require(result.terminationStatus == .exited(0), "\(program): \(result.standardError)")
    }

    @Test func `A full disk loses no acknowledged write, and the server continues once there is space`() async throws {
        let database = "sqlite:" + folder.appending(path: "shop.sqlite").path
        let feed = try ShopFolder.csv(folder, "caps", products: [("cap", 1_000)])
        try await ServerProgram.run("import", "--format", "shopify-csv", "--database", database, feed).good()
        let filler = folder.appending(path: "filler")
        try await ServerProgram.serve(on: database) { server in
            let buyer = try await server.customer()
            try await buyer.buyNow().good()
            try Data().write(to: filler)
            let file = try FileHandle(forWritingTo: filler)
            let block = Data(repeating: 1, count: 64 << 10)
            while (try? file.write(contentsOf: block)) != nil {}
            try file.close()

            let bought = 1 + (try await buyUntilRefused(buyer))
            let refused = try await buyer.add("cap")
            expectUnavailable(refused)
            #expect(refused.text.contains("disk is full"), "\(refused.text)")
            let health = try await server.anyone.call(Contract.healthReady)
            #expect(health.status == 503 && health.text.contains("database's disk is full"), "\(health.text)")
            // Reads need no room.
            try await server.anyone.call(Contract.product, path: ["handle": "cap"]).good()
            #expect(try await orders(of: buyer).count { $0.status == .paid } == bought)

            try FileManager.default.removeItem(at: filler)
            try await eventually { try await isReady(server) }
            try await buyer.buyNow().good()
            // An order of which the charge or its record did not fit is settled.
            try await eventually { try await !orders(of: buyer).contains { $0.status == .pending } }
            let paid = try await orders(of: buyer).count { $0.status == .paid }
            let left = try await server.available()
            #expect(paid >= bought + 1 && left == 1_000 - paid)
        }
    }

    private func orders(of buyer: Caller) async throws -> [Order] {
        try await buyer.pages(Contract.orders, limit: 100).flatMap(\.self)
    }

    @Test func `A disk that accepts no changes is reported in one sentence at the start`() async throws {
        let disk = try #require(SmallDisk.folder).path
        let database = try await ShopFolder.stocked(folder)
        try await run("mount", "-o", "remount,ro", disk)
        try await withCleanup({ try await run("mount", "-o", "remount,rw", disk) }) {
            let outcome = try await ServerProgram.run("serve", "--port", "0", "--database", database)
            outcome.expectFailure("pouch.sqlite")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
    }

    @Test func `Without free descriptors open connections are served, and new ones once some are free`() async throws {
        let database = try await ShopFolder.stocked(folder)
        try await ServerProgram.serve(on: database) { server in
            try await Transport.connections(2, ports: [server.port]) { transport in
                let buyer = try await transport.customer()
                try await buyer.buyNow().good()
                let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.processId)/fd").count
                let process = String(server.processId)
                try await run("prlimit", "--pid", process, "--nofile=\(used):")
                let waiting = try RawConnection(port: server.port)
                try waiting.send("GET /health/live HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n")
                for _ in 0..<20 {
                    let answer = try await buyer.set("cap", to: 1)
                    if answer.status != 200 { expectUnavailable(answer) }
                }
                #expect(await !waiting.hasAnswer(within: 200))
                try await run("prlimit", "--pid", process, "--nofile=\(used + 200):")
                #expect(await waiting.receive().hasPrefix("HTTP/1.1 200"))
                #expect(try await isReady(server))
                try await buyer.buyNow().good()
            }
        }
    }

    @Test func `A server that is stopped for a minute while it charges a card finds its order settled`() async throws {
        let database = try await ShopFolder.stocked(folder)
        try await ServerProgram.serve(on: database) { stopped in
            try await ServerProgram.serve(on: database) { other in
                try await Transport.connections(1, ports: [stopped.port]) { transport in
                    let here = try await transport.customer()
                    async let answer = here.buyNow(card: "tok_slow", key: "one")
                    try await eventually { try await other.available() == 9 }
                    try stopped.send(.suspend)
                    let continues = ContinuousClock.now + .seconds(60)
                    let there = other.caller(try #require(here.session))
                    // The buyer waits for two minutes.
                    try await eventually(within: .seconds(100)) {
                        try await orders(of: there).map(\.status).allSatisfy { $0 != .pending }
                    }
                    #expect(try await isReady(other))
                    try await Task.sleep(until: continues)
                    try stopped.send(.resume)
                    let first = try await answer
                    let status = try await orders(of: there).map(\.status)
                    // The card was charged before the stop, or the settlement has voided the charge.
                    #expect(
                        status == [.paid] && first.status == 201 || status == [.cancelled] && first.status == 502,
                        "\(status) \(first.status) \(first.text)")
                    #expect(try await other.available() == (status == [.paid] ? 9 : 10))
                    try await eventually { try await isReady(stopped) }
                }
            }
        }
    }
}

private enum SmallDisk {
    static let folder = ProcessInfo.processInfo.environment["SMALL_DISK"].map { URL(fileURLWithPath: $0) }
}
