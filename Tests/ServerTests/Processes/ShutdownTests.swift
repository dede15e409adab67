import Foundation
import PouchContract
import PouchEntities
import Subprocess
import TestDatabase
import Testing

@Suite("A server process and its end", .timeLimit(.minutes(2)))
struct ShutdownTests {
    @Test(arguments: [Signal.terminate, .interrupt])
    func `A signal ends the server with 0, and a payment under way still gets its answer`(signal: Signal) async throws {
        try await TemporaryFolder.use { folder in
            let database = try await ShopFolder.stocked(folder)
            let outcome = try await ServerProgram.serve(
                "--port", "0", "--database", database, signal: signal
            ) { server in
                let guest = try await server.guest()
                async let order = guest.buyNow("cap", card: "tok_slow")
                // The purchase has begun once its unit is held.
                try await eventually {
                    try await server.anyone.call(Contract.availability, query: "sku=cap").good().items.first?.available
                        == 9
                }
                try server.end()
                #expect(try await order.good().status == .paid)
            }
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            let again = try await ServerProgram.serve("--port", "0", "--database", database) { server in
                let found = try await server.anyone.call(Contract.availability, query: "sku=cap").good()
                #expect(found.items.map(\.available) == [9])
            }
            #expect(again.status == .exited(0))
        }
    }

    @Test func `A request that never comes to its end keeps the server for half a minute at most`() async throws {
        try await TemporaryFolder.use { folder in
            let kept = Box<RawConnection>()
            let start = Box<ContinuousClock.Instant>()
            let outcome = try await ServerProgram.serve(
                "--port", "0", "--database", try await TestDatabase(in: folder).text
            ) { server in
                let connection = try RawConnection(port: server.port)
                try connection.send("POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
                await kept.set(connection)
                // Requests are counted once they are taken.
                _ = try await server.anyone.call(Contract.seasons).good()
                await start.set(.now)
            }
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            let took = try #require(await start.value).duration(to: .now)
            #expect(took > .seconds(25) && took < .seconds(60), "\(took)")
        }
    }

    @Test func `A taken port is told in one sentence, with exit code 1`() async throws {
        try await TemporaryFolder.use { folder in
            let database = try await TestDatabase(in: folder).text
            _ = try await ServerProgram.serve("--port", "0", "--database", database) { server in
                let second = try await ServerProgram.run(
                    "serve", "--port", "\(server.port)", "--database", database, "--log-level", "error")
                #expect(second.status == .exited(1))
                #expect(second.output.isEmpty)
                #expect(second.errors.contains("127.0.0.1:\(server.port) is taken by another program."))
                #expect(second.errors.split(separator: "\n").count == 1, "\(second.errors)")
            }
        }
    }

    @Test func `Each request is logged with its id, and without what was asked`() async throws {
        try await TemporaryFolder.use { folder in
            let id = Box<String>()
            let outcome = try await ServerProgram.serve(
                "--port", "0", "--database", try await TestDatabase(in: folder).text
            ) { server in
                let answer = try await server.anyone.send("GET", "/v1/products?q=secret")
                await id.set(answer.header("Request-Id"))
            }
            let line = outcome.errors.split(separator: "\n").first { $0.contains("/v1/products") }
            #expect(line?.contains(try #require(await id.value)) == true)
            #expect(!outcome.errors.contains("secret"))
        }
    }
}
