import Foundation
import PouchContract
import PouchEntities
import PouchServer
import PouchStorage
import PouchWire
import TestDatabase
import Testing

@Suite("A database server that goes away", .enabled(if: TestDatabase.isPostgres), .timeLimit(.minutes(3)))
struct RestartTests {
    /// What the buyers were told.
    private actor Told {
        private(set) var orders: [String] = []
        private(set) var refusals = 0
        private(set) var isEnough = false

        func ordered(_ id: String) { orders.append(id) }
        func enough() { isEnough = true }
        func refused() { refusals += 1 }
    }

    @Test func `It is 503 while it is away in the middle of load, ready again by itself, and nothing is lost`()
        async throws
    {
        try await Cluster.use { cluster in
            let address = try DatabaseAddress(try await cluster.start())
            try await TestShop.open([.stocked("cap", stock: 100_000)], configure: { $0.database = address }) { shop in
                let told = Told()
                let buyers = try await parallel(8) { _ in try await shop.guest() }
                let load = Task {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for buyer in buyers {
                            group.addTask {
                                while await !told.isEnough {
                                    let answer = try await buyer.buyNow("cap", total: 1490)
                                    if answer.status == 503 {
                                        #expect(answer.header(HeaderName.retryAfter) != nil)
                                        await told.refused()
                                    } else {
                                        let order = try answer.good()
                                        await told.ordered(order.id)
                                    }
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                try await eventually { await told.orders.count >= 20 }

                try await cluster.stop()
                let away = try await shop.anyone.send("GET", "/health/ready")
                try away.problem(.unavailable)
                #expect(away.header(HeaderName.retryAfter) == "1" && !away.text.contains("127.0.0.1"))
                #expect(try await shop.anyone.send("GET", "/health/live").status == 200)
                try await eventually { await told.refusals >= 8 }

                let before = await told.orders.count
                try await cluster.start()
                try await eventually { try await shop.anyone.send("GET", "/health/ready").status == 200 }
                try await eventually { await told.orders.count >= before + 20 }
                await told.enough()
                try await load.value

                // What the stop left half-way is settled once its time has come.
                shop.clock.advance(by: 600)
                try await eventually {
                    try await shop.rows("SELECT 1 FROM orders WHERE status = 'pending'").isEmpty
                }
                let paid = try await Set(
                    shop.rows("SELECT id FROM orders WHERE status = 'paid'").map { try $0.text(0) })
                let acknowledged = await told.orders
                #expect(acknowledged.allSatisfy(paid.contains))
                let stock = try await shop.rows("SELECT on_hand, held FROM stock").map {
                    [try $0.int(0), try $0.int(1)]
                }
                #expect(stock == [[100_000 - paid.count, 0]])
                #expect(try await shop.charges() == paid.count)
            }
        }
    }
}
