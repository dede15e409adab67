import PouchContract
import PouchDomain
import PouchEntities
import PouchStorage
import PouchWire
import Testing

@Suite("Buyers who race", .timeLimit(.minutes(2)))
struct RaceTests {
    @Test func `The last unit goes to one of thirty buyers`() async throws {
        try await TestShop.open([.stocked("cap", stock: 1)]) { shop in
            let buyers = try await parallel(30) { _ in try await shop.guest() }
            let answers = try await parallel(30) { try await buyers[$0].buyNow() }
            #expect(answers.filter { $0.status == 201 }.count == 1)
            for answer in answers where answer.status != 201 {
                #expect(try answer.problem(.outOfStock).lines?.map(\.available) == [0])
            }
            #expect(try await shop.available("cap") == 0)
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
            #expect(
                try await shop.rows("SELECT on_hand, held FROM stock").map { [try $0.int(0), try $0.int(1)] } == [
                    [0, 0]
                ])
        }
    }

    @Test func `Buyers of several SKUs in any order neither wait in a circle nor oversell`() async throws {
        try await TestShop.open([.stocked("a", stock: 10), .stocked("b", stock: 10), .stocked("c", stock: 10)]) {
            shop in
            let carts = try await parallel(24) { index in
                let guest = try await shop.guest()
                let skus = ["a", "b", "c"]
                for offset in 0..<3 { try await guest.add(skus[(index + offset) % 3]).good() }
                try await guest.ship().good()
                return guest
            }
            let cards = ["tok_ok", "tok_slow", "tok_declined", "tok_error"]
            let statuses = try await parallel(24) { try await carts[$0].checkout(cards[$0 % 4], total: 3490).status }
            let sold = statuses.filter { $0 == 201 }.count
            #expect(sold > 0 && Set(statuses).isSubset(of: [201, 402, 409, 502]))
            for sku in ["a", "b", "c"] { #expect(try await shop.available(sku) == 10 - sold) }
            let paid = try await shop.rows("SELECT COUNT(*), MIN(status), MAX(status) FROM orders")
            #expect(try paid.first?.int(0) == sold && paid.first?.text(1) == "paid" && paid.first?.text(2) == "paid")
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
            #expect(try await shop.rows("SELECT 1 FROM orders").count == placed.count)
            #expect(try await shop.charges() == placed.count)
            let stock = try await shop.rows("SELECT on_hand, held FROM stock").map { [try $0.int(0), try $0.int(1)] }
            #expect(stock == [[12 - placed.count, 0]])
        }
    }

    @Test func `Order numbers have no gaps where nothing failed, and none is given twice`() async throws {
        try await TestShop.open([.stocked("cap", stock: 50)]) { shop in
            let guest = try await shop.guest()
            let numbers = try await parallel(20) { _ in try await guest.buyNow().good().number }
            #expect(Set(numbers) == Set((10_001...10_020).map { "P-\($0)" }))
        }
    }
}
