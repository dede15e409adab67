import Foundation
import PouchContract
import PouchEntities
import PouchWire
import ServerTesting
import Subprocess
import Testing

/// Faults of the machine under a server process. `make faults` gives them a small disk.
@Suite(
    "Faults of the machine", .serialized, .enabled(if: SmallDisk.folder != nil && !TestDatabase.isPostgres),
    .timeLimit(.minutes(10)))
struct FaultProcessTests {
    /// A folder of its own on the small disk.
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = try #require(SmallDisk.folder).appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await withCleanup({ try FileManager.default.removeItem(at: folder) }) { try await body(folder) }
    }

    private func isReady(_ server: ServerProgram.Serving) async throws -> Bool {
        let answer = try await server.anyone.call(Contract.healthReady)
        if answer.status != 200 { expectUnavailable(answer) }
        return answer.status == 200
    }

    private func expectUnavailable<Value>(_ answer: Answered<Value>) {
        #expect(answer.status == 503 && answer.header("Retry-After") != nil, "\(answer.status) \(answer.text)")
        #expect(answer.text.contains(#""code":"unavailable""#), "\(answer.text)")
    }

    /// Buys single caps until the shop stores nothing more.
    ///
    /// - Returns: the number of acknowledged orders.
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

    @Test func `On a full disk nothing that was acknowledged is lost, and with room again all goes on`() async throws {
        try await withFolder { folder in
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
    }

    private func orders(of buyer: Caller) async throws -> [Order] {
        try await buyer.pages(Contract.orders, limit: 100).flatMap(\.self)
    }

    @Test func `A disk that accepts no changes is named in one sentence at the start`() async throws {
        try await withFolder { folder in
            let disk = try #require(SmallDisk.folder).path
            let database = try await ShopFolder.stocked(folder)
            try await run("mount", "-o", "remount,ro", disk)
            try await withCleanup({ try await run("mount", "-o", "remount,rw", disk) }) {
                let outcome = try await ServerProgram.run("serve", "--port", "0", "--database", database)
                outcome.expectFailure("pouch.sqlite")
                #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
            }
        }
    }

    @Test func `Without free descriptors open connections are served, and with free ones new connections, too`()
        async throws
    {
        try await withFolder { folder in
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
    }

    @Test func `A server that is stopped for a minute while it charges a card finds its order settled`() async throws {
        try await withFolder { folder in
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
}

private enum SmallDisk {
    static let folder = ProcessInfo.processInfo.environment["SMALL_DISK"].map { URL(fileURLWithPath: $0) }
}
