import Foundation
import HummingbirdTesting
import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchServer
import PouchStorage
import PouchWire
import TestDatabase
import Testing

@Suite("A thousand buyers at once", .timeLimit(.minutes(5)), .serialized)
struct InventoryRaceTests {
    /// With these in stock, one wave of buyers after the other comes.
    private static let waves = [1, 10, 500]

    private static let products = waves.flatMap { units in
        Purchase.skus(units).map { FeedProduct.stocked($0, stock: units) }
    }

    private static let stocked = Dictionary(
        uniqueKeysWithValues: waves.flatMap { units in Purchase.skus(units).map { ($0, units) } })

    @Test(arguments: Purchase.allCases)
    func `Exactly what there is is sold, and whoever gets nothing is told so and not charged`(
        _ purchase: Purchase
    ) async throws {
        try await TestShop.open(Self.products, setup: .live) { shop in
            try await Crowd.gather(ports: [#require(shop.client.port)]) { crowd in
                var sold = 0
                // Nobody can put two of the last one into a cart.
                for units in Self.waves where purchase != .twoUnitsFromCart || units > 1 {
                    let winners = try await crowd.buy(purchase, ofEach: units)
                    #expect(winners == units / purchase.unitsOfSKU)
                    sold += winners
                }
                let orders = try await shop.books(Self.stocked)
                #expect(orders.count == sold && orders.allSatisfy { $0.order.status == .paid })
            }
        }
    }

    @Test(.enabled(if: TestDatabase.isPostgres), arguments: [Purchase.oneUnit, .twoSKUsInEitherOrder])
    func `Three server processes on one database sell exactly what there is`(_ purchase: Purchase) async throws {
        try await TemporaryFolder.use { folder in
            let database = try await TestDatabase(in: folder)
            let address = try database.address
            try await TestShop.open(
                Self.products,
                configure: {
                    $0.dataFolder = folder
                    $0.database = address
                }
            ) { shop in
                let arguments = ["--port", "0", "--database", database.text, "--data", folder.path]
                _ = try await ServerProgram.serve(arguments) { first in
                    _ = try await ServerProgram.serve(arguments) { second in
                        _ = try await ServerProgram.serve(arguments) { third in
                            try await Crowd.gather(ports: [first.port, second.port, third.port]) { crowd in
                                for units in Self.waves {
                                    let winners = try await crowd.buy(purchase, ofEach: units)
                                    #expect(winners == units)
                                }
                            }
                        }
                    }
                }
                let orders = try await shop.books(Self.stocked)
                #expect(orders.count == Self.waves.reduce(0, +))
            }
        }
    }

    @Test func `Two servers on one database sell each unit once`() async throws {
        try await TestShop.open([.stocked("cap", stock: 7)]) { shop in
            let buyers = try await parallel(20) { _ in try await shop.guest() }
            try await shop.another { other in
                let statuses = try await parallel(20) { index in
                    let session = try #require(buyers[index].session)
                    return try await (index.isMultiple(of: 2) ? shop : other).caller(session).buyNow().status
                }
                #expect(statuses.filter { $0 == 201 }.count == 7)
                #expect(statuses.filter { $0 == 409 }.count == 13)
            }
            try await shop.books(["cap": 7])
        }
    }

    @Test func `A charge whose answer is lost keeps its units among buyers who race, and is paid in the end`()
        async throws
    {
        try await TestShop.open([.stocked("cap", stock: 12)]) { shop in
            let buyers = try await parallel(40) { _ in try await shop.guest() }
            let cards = ["tok_lost", "tok_ok", "tok_declined", "tok_error"]
            let answers = try await parallel(40) { try await buyers[$0].buyNow(card: cards[$0 % 4]) }
            #expect(Set(answers.map(\.status)).isSubset(of: [201, 402, 409, 502]))
            let placed = try answers.filter { $0.status == 201 }.map { try $0.good() }
            let lost = zip(answers, answers.indices).count { $0.status == 201 && $1 % 4 == 0 }
            #expect(lost > 0 && placed.count { $0.status == .pending } == lost)
            // Neither sold nor free are the units of those whose answer was lost.
            #expect(try await shop.available("cap") == 12 - placed.count)

            shop.clock.advance(by: OrderSettlement.patience + 1)
            try await eventually {
                try await shop.rows("SELECT 1 FROM orders WHERE status = 'pending'").isEmpty
            }
            let paid = try await shop.rows("SELECT id FROM orders WHERE status = 'paid'").map { try $0.text(0) }
            #expect(Set(paid) == Set(placed.map(\.id)))
            #expect(try await shop.books(["cap": 12]).count == placed.count)
        }
    }

    @Test func `Stock that an administrator adjusts while it is bought stays exact`() async throws {
        try await TestShop.open([.stocked("cap", stock: 40)]) { shop in
            let admin = try await shop.admin()
            let buyers = try await parallel(100) { _ in try await shop.guest() }
            async let adjustments = parallel(60) { number in
                let units = [3, -2, 1][number % 3]
                let answer = try await patiently { try await admin.change("cap", adjust: units) }
                guard answer.status != 200 else { return units }
                try answer.problem(.stockNegative)
                return 0
            }
            let sold = try await parallel(100) { number in
                let key = Caller.key()
                let card = ["tok_ok", "tok_slow", "tok_declined"][number % 3]
                let answer = try await patiently { try await buyers[number].buyNow(card: card, key: key) }
                if answer.status == 409 { try answer.problem(.outOfStock) }
                return answer.status
            }
            #expect(Set(sold).isSubset(of: [201, 402, 409]) && sold.contains(201))
            try await shop.books(["cap": 40 + adjustments.reduce(0, +)])
        }
    }
}
