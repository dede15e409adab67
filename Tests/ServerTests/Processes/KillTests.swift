import Foundation
import PouchContract
import PouchEntities
import PouchSandbox
import PouchWire
import Subprocess
import Testing

@Suite("A server that is killed, or ended under load", .timeLimit(.minutes(3)))
struct KillTests {
    @Test func `Killed between charge and answer, it gives the same key the paid order, and charges once`() async throws
    {
        try await TemporaryFolder.use { folder in
            let database = try await ShopFolder.stocked(folder)
            let ledger = folder.appending(path: "ledger.sqlite").path
            _ = try await ServerProgram.serveSandbox("--port", "0", "--ledger", ledger) { sandbox in
                let payments = "http://127.0.0.1:\(sandbox.port)"
                let guest = Box<Caller>()
                let killed = try await ServerProgram.serve(
                    "--port", "0", "--database", database, "--payments", payments, signal: .kill
                ) { shop in
                    let buyer = try await shop.guest()
                    await guest.set(buyer)
                    // The provider books this at once, and does not answer.
                    let purchase = Task { try await buyer.buyNow("cap", card: "tok_lost", key: "once") }
                    try await eventually { try await sandbox.anyone.charges().items.map(\.status) == [.captured] }
                    try shop.end()
                    await #expect(throws: (any Error).self) { try await purchase.value }
                }
                #expect(killed.status == .signaled(9))
                _ = try await ServerProgram.serve("--port", "0", "--database", database, "--payments", payments) {
                    shop in
                    let buyer = shop.caller(try #require(await guest.value?.session))
                    func again() async throws -> Answered<Order> {
                        try await buyer.buyNow("cap", card: "tok_lost", key: "once")
                    }
                    try await again().problem(.idempotencyKeyInUse)
                    try await eventually(within: .seconds(45)) { try await again().status == 201 }
                    let answer = try await again()
                    #expect(try answer.good().status == .paid)
                    #expect(try await again().body == answer.body)
                    #expect(answer.header(HeaderName.idempotentReplayed) == "true")
                }
                #expect(try await sandbox.anyone.charges().items.count == 1)
            }
        }
    }

    @Test func `SIGTERM under load: what was bought was answered, and what was answered was bought`() async throws {
        try await TemporaryFolder.use { folder in
            let database = try await ShopFolder.stocked(folder)
            let answered = Box<Int>()
            let feed = try ShopFolder.csv(folder, "more", products: [("hat", 5_000)])
            _ = try await ServerProgram.run("import", "--format", "shopify-csv", "--database", database, feed)
            let ended = try await ServerProgram.serve("--port", "0", "--database", database) { shop in
                let buyers = try await parallel(12) { _ in try await shop.guest() }
                async let sold = parallel(12) { index in
                    var sold = 0
                    while let answer = try? await buyers[index].buyNow("hat") {
                        // Going away may be told, but not in the middle of a purchase.
                        guard answer.status == 201 else { break }
                        sold += 1
                    }
                    return sold
                }
                try await eventually {
                    try await shop.anyone.call(Contract.availability, query: "sku=hat").good().items.contains {
                        $0.available < 4_970
                    }
                }
                try shop.end()
                await answered.set(try await sold.reduce(0, +))
            }
            #expect(ended.status == .exited(0), "\(ended.errors)")
            _ = try await ServerProgram.serve("--port", "0", "--database", database) { shop in
                let left = try await shop.anyone.call(Contract.availability, query: "sku=hat").good().items
                #expect(try #require(left.first).available == 5_000 - (try #require(await answered.value)))
            }
        }
    }
}
