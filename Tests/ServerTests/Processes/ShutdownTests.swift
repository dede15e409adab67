import Foundation
import PouchContract
import PouchEntities
import PouchSandbox
import PouchWire
import Subprocess
import ServerTesting
import Testing

@Suite("Shutdown of the server process", .timeLimit(.minutes(5)), .inFolder)
struct ShutdownProcessTests {
    private let folder = TemporaryFolder.current

    @Test(arguments: [Signal.terminate, .interrupt])
    func `A signal ends the server with 0, and a payment under way still gets its answer`(signal: Signal) async throws {
        let database = try await ShopFolder.stocked(folder)
        try await ServerProgram.serve("--port", "0", "--database", database, signal: signal) { server in
            let guest = try await server.guest()
            async let order = guest.buyNow("cap", card: "tok_slow")
            // Waits until the purchase holds its unit.
            try await eventually { try await server.available() == 9 }
            try server.end()
            #expect(try await order.good().status == .paid)
        }.good()
        try await ServerProgram.serve(on: database) { server in #expect(try await server.available() == 9) }
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

    @Test func `A used port is reported in one sentence, with exit code 1`() async throws {
        let database = try await TestDatabase(in: folder).text
        try await ServerProgram.serve(on: database) { server in
            let second = try await ServerProgram.run(
                "serve", "--port", "\(server.port)", "--database", database, "--log-level", "error")
            second.expectFailure("127.0.0.1:\(server.port) is in use by another program.")
            #expect(second.output.isEmpty)
            #expect(second.errors.split(separator: "\n").count == 1, "\(second.errors)")
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
}

@Suite("A server that is killed or stopped under load", .timeLimit(.minutes(10)), .inFolder)
struct KillProcessTests {
    private let folder = TemporaryFolder.current

    @Test(arguments: ["in process", "over HTTP"])
    func `Killed between charge and answer, it returns the paid order for the same key and charges once`(
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

    @Test func `SIGTERM under load: what was bought was answered, and what was answered was bought`() async throws {
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
        try await ServerProgram.serve(on: database) { shop in #expect(try await shop.available("hat") == left) }
    }
}
