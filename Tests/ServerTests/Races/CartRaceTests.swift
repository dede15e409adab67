import PouchContract
import PouchDomain
import PouchEntities
import PouchWire
import Testing

/// Freely after the invariant of that name in Warszawski and Bailis, ACIDRain (SIGMOD 2017): what is charged is what is
/// ordered.
@Suite("A cart that changes while it is paid for", .timeLimit(.minutes(2)))
struct CartRaceTests {
    @Test(arguments: ["tok_ok", "tok_slow", "tok_declined"])
    func `What is added is ordered and paid for, or still in the cart`(card: String) async throws {
        try await TestShop.open([.stocked("cap", stock: 900), .stocked("scarf", price: 100, stock: 900)]) { shop in
            let buyers = try await parallel(8) { _ in try await shop.guest() }
            let statuses = try await parallel(8) { number in
                let buyer = buyers[number]
                try await buyer.add("cap").good()
                try await buyer.ship().good()
                async let purchase = patiently { [key = Caller.key()] in
                    try await buyer.checkout(card, total: 1490, key: key)
                }
                let adding = ["cap", "scarf"]
                let added = try await parallel(12) { index in
                    try await patiently { try await buyer.add(adding[index % 2]) }.good()
                    return adding[index % 2]
                }
                let answer = try await purchase
                var expected = ["cap": 1]
                for sku in added { expected[sku, default: 0] += 1 }
                var found: [String: Int] = [:]
                for line in try await buyer.cart().lines { found[line.sku, default: 0] += line.quantity }
                if answer.status == 201 {
                    let order = try answer.good()
                    #expect(order.totals.total.amount == 1490 && order.lines.map(\.sku) == ["cap"])
                    for line in order.lines { found[line.sku, default: 0] += line.quantity }
                } else {
                    try answer.problem(answer.status == 402 ? .paymentDeclined : .priceChanged)
                }
                #expect(found == expected)
                return answer.status
            }
            let orders = try await shop.books(["cap": 900, "scarf": 900])
            #expect(orders.count == statuses.count { $0 == 201 })
        }
    }

    @Test func `One cart that is paid for many times at once becomes one order`() async throws {
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            let devices = [try await shop.customer()] + (try await parallel(3) { _ in try await shop.signIn() })
            try await devices[0].add("cap", 3).good()
            try await devices[0].ship().good()
            let answers = try await parallel(40) { number in
                let key = Caller.key()
                return try await patiently {
                    try await devices[number % 4].checkout(
                        number.isMultiple(of: 3) ? "tok_slow" : "tok_ok", total: 3490, key: key)
                }
            }
            #expect(answers.count { $0.status == 201 } == 1)
            for answer in answers where answer.status != 201 { try answer.problem(.cartEmpty) }
            #expect(try await shop.books(["cap": 100]).map { $0.order.lines.map(\.quantity) } == [[3]])
            #expect(try await devices[2].cart().lines.isEmpty)
        }
    }
}
