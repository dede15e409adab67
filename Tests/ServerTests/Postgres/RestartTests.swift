import Foundation
import PouchContract
import PouchEntities
import PouchServer
import PouchStorage
import PouchWire
import Synchronization
import TestDatabase
import Testing

@Suite("A database server that goes away", .enabled(if: TestDatabase.isPostgres), .timeLimit(.minutes(3)))
struct RestartTests {
    /// What the buyers were told.
    private struct Told {
        var orders: [String] = []
        var refusals = 0
    }

    @Test func `It is 503 while it is away in the middle of load, ready again by itself, and nothing is lost`()
        async throws
    {
        try await Cluster.use { cluster in
            let address = try DatabaseAddress(try await cluster.start())
            try await TestShop.open([.stocked("cap", stock: 100_000)], configure: { $0.database = address }) { shop in
                let told = Mutex(Told())
                let buyers = try await parallel(8) { _ in try await shop.guest() }
                let load = Task {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for buyer in buyers {
                            group.addTask {
                                while !Task.isCancelled {
                                    let answer = try await buyer.buyNow("cap", total: 1490)
                                    if answer.status == 503 {
                                        #expect(answer.header(HeaderName.retryAfter) != nil)
                                        told.withLock { $0.refusals += 1 }
                                    } else {
                                        let order = try answer.good()
                                        told.withLock { $0.orders.append(order.id) }
                                    }
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                try await eventually { told.withLock { $0.orders.count } >= 20 }

                try await cluster.stop()
                let away = try await shop.anyone.send("GET", "/health/ready")
                try away.problem(.unavailable)
                #expect(away.header(HeaderName.retryAfter) == "1" && !away.text.contains("127.0.0.1"))
                #expect(try await shop.anyone.send("GET", "/health/live").status == 200)
                try await eventually { told.withLock { $0.refusals } >= 8 }

                let before = told.withLock { $0.orders.count }
                try await cluster.start()
                try await eventually { try await shop.anyone.send("GET", "/health/ready").status == 200 }
                try await eventually { told.withLock { $0.orders.count } >= before + 20 }
                load.cancel()
                try await load.value

                // What the stop left half-way is settled once its time has come.
                shop.clock.advance(by: 600)
                try await eventually {
                    try await shop.rows("SELECT 1 FROM orders WHERE status = 'pending'").isEmpty
                }
                let paid = try await Set(shop.rows("SELECT id FROM orders WHERE status = 'paid'").map { try $0.text(0) })
                #expect(paid.isSuperset(of: told.withLock { $0.orders }))
                let stock = try await shop.rows("SELECT on_hand, held FROM stock").map { [try $0.int(0), try $0.int(1)] }
                #expect(stock == [[100_000 - paid.count, 0]])
                #expect(try await shop.charges() == paid.count)
            }
        }
    }
}
