import HummingbirdTesting
import ServerTesting
import Testing

@Suite("A thousand concurrent buyers", .timeLimit(.minutes(10)), .serialized)
struct InventoryRaceTests {
    /// The units in stock for each wave of buyers.
    private static let waves = [1, 10, 500]

    private static let products = waves.flatMap { units in
        Purchase.skus(units).map { FeedProduct.stocked($0, stock: units) }
    }

    private static let stocked = Dictionary(
        uniqueKeysWithValues: waves.flatMap { units in Purchase.skus(units).map { ($0, units) } })

    @Test(arguments: Purchase.allCases)
    func `Exactly the stock is sold, and all other buyers are refused without a charge`(
        _ purchase: Purchase
    ) async throws {
        try await TestShop.open(Self.products, setup: .live) { shop in
            try await Crowd.gather(ports: [#require(shop.client.port)]) { crowd in
                var sold = 0
                // Two units of a stock of one cannot be added to a cart.
                for units in Self.waves where purchase != .twoUnitsFromCart || units > 1 {
                    let winners = try await crowd.buyAll(purchase, ofEach: units)
                    #expect(winners == units / purchase.unitsOfSKU)
                    sold += winners
                }
                let orders = try await shop.reconcile(Self.stocked)
                #expect(orders.count == sold && orders.allSatisfy { $0.order.status == .paid })
            }
        }
    }

    @Test(.inFolder, .enabled(if: TestDatabase.isPostgres), arguments: [Purchase.oneUnit, .twoSKUsInEitherOrder])
    func `Three server processes on one database sell exactly the stock`(_ purchase: Purchase) async throws {
        let folder = TemporaryFolder.current
        let database = try await TestDatabase(in: folder)
        let address = try database.address
        let configure = { (configuration: inout ServerConfiguration) in
            (configuration.dataFolder, configuration.database) = (folder, address)
        }
        try await TestShop.open(Self.products, configure: configure) { shop in
            // The processes have the machine's clock.
            shop.clock.advance(by: Date.now.timeIntervalSince(shop.clock.now).rounded())
            let arguments = ["--port", "0", "--database", database.text, "--data", folder.path]
            _ = try await ServerProgram.serve(arguments) { first in
                _ = try await ServerProgram.serve(arguments) { second in
                    _ = try await ServerProgram.serve(arguments) { third in
                        try await Crowd.gather(ports: [first.port, second.port, third.port]) { crowd in
                            for units in Self.waves {
                                let bought = try await crowd.buyAll(purchase, ofEach: units)
                                #expect(bought == units)
                            }
                        }
                    }
                }
            }
            // A purchase whose payment a busy machine does not make in time is cancelled without a charge, and repeated.
            let orders = try await shop.reconcile(Self.stocked).map(\.order)
            #expect(orders.count { $0.status == .paid } == Self.waves.reduce(0, +))
            #expect(orders.allSatisfy { $0.status == .paid || $0.status == .cancelled && $0.payment.status == .failed })
        }
    }

    @Test(.inShop([.stocked("cap", stock: 7)]))
    func `Two servers on one database sell exactly the stock`() async throws {
        let shop = TestShop.current
        let buyers = try await parallel(20) { _ in try await shop.guest() }
        try await shop.another { other in
            let statuses = try await parallel(20) { index in
                let session = try #require(buyers[index].session)
                return try await (index.isMultiple(of: 2) ? shop : other).caller(session).buyNow().status
            }
            #expect(statuses.sorted() == Array(repeating: 201, count: 7) + Array(repeating: 409, count: 13))
        }
        try await shop.reconcile(["cap": 7])
    }

    @Test(.inShop([.stocked("cap", stock: 12)]))
    func `A charge with a lost response holds its units against other buyers, and is paid in the end`() async throws {
        let shop = TestShop.current
        let buyers = try await parallel(40) { _ in try await shop.guest() }
        let cards = ["tok_lost", "tok_ok", "tok_declined", "tok_error"]
        let answers = try await parallel(40) { try await buyers[$0].buyNow(card: cards[$0 % 4]) }
        #expect(Set(answers.map(\.status)).isSubset(of: [201, 402, 409, 502]))
        let placed = try answers.filter { $0.status == 201 }.map { try $0.good() }
        let lost = zip(answers, answers.indices).count { $0.status == 201 && $1 % 4 == 0 }
        #expect(lost > 0 && placed.count { $0.status == .pending } == lost)
        // Units of orders with a lost response are held.
        #expect(try await shop.available("cap") == 12 - placed.count)
        shop.clock.advance(by: OrderSettlement.gracePeriod + 1)
        try await eventually { try await shop.rows("SELECT 1 FROM orders WHERE status = 'pending'").isEmpty }
        let paid = try await shop.rows("SELECT id FROM orders WHERE status = 'paid'").map { try $0.text(0) }
        #expect(Set(paid) == Set(placed.map(\.id)))
        #expect(try await shop.reconcile(["cap": 12]).count == placed.count)
    }

    @Test(.inShop([.stocked("cap", stock: 40)]))
    func `Stock stays exact when it is adjusted during purchases`() async throws {
        let shop = TestShop.current
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
            let card = ["tok_ok", "tok_slow", "tok_declined"][number % 3]
            let answer = try await patiently { key in try await buyers[number].buyNow(card: card, key: key) }
            if answer.status == 409 { try answer.problem(.outOfStock) }
            return answer.status
        }
        #expect(Set(sold).isSubset(of: [201, 402, 409]) && sold.contains(201))
        try await shop.reconcile(["cap": 40 + adjustments.reduce(0, +)])
    }
}

/// After the cart invariant in Warszawski and Bailis, ACIDRain (SIGMOD 2017): the charged items are the ordered ones.
@Suite(
    "A cart changed during its checkout", .timeLimit(.minutes(5)),
    .inShop([.stocked("cap", stock: 900), .stocked("scarf", price: 100, stock: 900)]))
struct CartRaceTests {
    private let shop = TestShop.current

    @Test(arguments: ["tok_ok", "tok_slow", "tok_declined"])
    func `Units added during the checkout are in the paid order or still in the cart`(card: String) async throws {
        let buyers = try await parallel(8) { _ in try await shop.guest() }
        let statuses = try await parallel(8) { number in
            let buyer = buyers[number]
            try await buyer.fillCart()
            async let purchase = patiently { key in try await buyer.checkout(card, total: 1490, key: key) }
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
        let orders = try await shop.reconcile(["cap": 900, "scarf": 900])
        #expect(orders.count == statuses.count { $0 == 201 })
    }

    @Test func `Concurrent checkouts of one cart make one order`() async throws {
        let devices = [try await shop.customer()] + (try await parallel(3) { _ in try await shop.signIn() })
        try await devices[0].fillCart("cap", 3)
        let answers = try await parallel(40) { number in
            let card = number.isMultiple(of: 3) ? "tok_slow" : "tok_ok"
            return try await patiently { key in try await devices[number % 4].checkout(card, total: 3490, key: key) }
        }
        #expect(answers.count { $0.status == 201 } == 1)
        for answer in answers where answer.status != 201 { try answer.problem(.cartEmpty) }
        #expect(try await shop.reconcile(["cap": 900]).map { $0.order.lines.map(\.quantity) } == [[3]])
        #expect(try await devices[2].cart().lines.isEmpty)
    }
}

/// After the voucher invariant in Warszawski and Bailis, ACIDRain (SIGMOD 2017): a code is never used beyond its
/// limits.
@Suite("Concurrent uses of discount codes", .timeLimit(.minutes(5)), .inShop([.stocked("cap", stock: 100)]))
struct VoucherRaceTests {
    /// The total of a cap with standard shipping, less 10 % of the cap.
    private static let reduced: Int64 = 1390

    private let shop = TestShop.current

    /// Buys a cap with the code, from a prepared cart or without a cart.
    private func use(_ caller: Caller, fromCart: Bool, card: String = "tok_ok") async throws -> Answered<Order> {
        try await patiently { key in
            // Guests with one address would share their uses.
            let email = "\(key)@example.com"
            return fromCart
                ? try await caller.checkout(card, total: Self.reduced, email: email, key: key)
                : try await caller.buyNow(
                    [.cap], discount: "TEN", card: card, total: Self.reduced, email: email, key: key)
        }
    }

    private func fillCart(_ caller: Caller) async throws {
        try await caller.fillCart()
        #expect(try await caller.discount("TEN").good().totals.total.amount == Self.reduced)
    }

    /// Guests, some with a cart. No more than the wrong codes that a network may try.
    private func guests(withCart isFilled: @escaping @Sendable (Int) -> Bool) async throws -> [Caller] {
        try await parallel(30) { number in
            let guest = try await shop.guest()
            if isFilled(number) { try await fillCart(guest) }
            return guest
        }
    }

    private func addTen(limit: Int? = nil, limitPerAccount: Int? = nil) async throws {
        var terms = DiscountTerms.ten
        (terms.limit, terms.limitPerAccount) = (limit, limitPerAccount)
        try await shop.admin().addDiscount(terms).good()
    }

    private func used() async throws -> Int? { try await shop.rows("SELECT used FROM discounts").first?.int(0) }

    @Test func `One purchase gets a code's last use, with or without a cart, and no other is charged`() async throws {
        try await addTen(limit: 1)
        let buyers = try await guests { $0.isMultiple(of: 2) }
        let answers = try await parallel(30) { try await use(buyers[$0], fromCart: $0.isMultiple(of: 2)) }
        for answer in answers where answer.status != 201 { try answer.problem(.discountExhausted) }
        #expect(answers.count { $0.status == 201 } == 1)
        #expect(try await used() == 1)
        #expect(try await shop.reconcile(["cap": 100]).map(\.order.totals.total.amount) == [Self.reduced])
        // The carts of refused buyers are unchanged.
        for number in 0..<30 where number.isMultiple(of: 2) && answers[number].status != 201 {
            #expect(try await buyers[number].cart().lines.map(\.quantity) == [1])
        }
    }

    @Test func `Concurrent purchases of one account use its single discount once`() async throws {
        try await addTen(limitPerAccount: 1)
        let devices = [try await shop.customer()] + (try await parallel(3) { _ in try await shop.signIn() })
        try await fillCart(devices[0])
        // No more than the wrong codes that a network may try.
        let answers = try await parallel(30) { try await use(devices[$0 % 4], fromCart: $0 == 7) }
        #expect(answers.count { $0.status == 201 } == 1)
        for answer in answers where answer.status != 201 { try answer.problem(.discountExhausted) }
        #expect(try await used() == 1)
        #expect(try await shop.reconcile(["cap": 100]).count == 1)
        #expect(try await devices[1].orders().count == 1)
    }

    @Test func `Declined purchases return their discount uses to other buyers, within the limit`() async throws {
        try await addTen(limit: 5, limitPerAccount: 1)
        let buyers = try await guests { $0 % 4 > 1 }
        let statuses = try await parallel(30) { number in
            let card = number.isMultiple(of: 2) ? "tok_declined" : "tok_ok"
            return try await use(buyers[number], fromCart: number % 4 > 1, card: card).status
        }
        #expect(Set(statuses).isSubset(of: [201, 402, 422]))
        let winners = statuses.count { $0 == 201 }
        #expect(winners <= 5)
        #expect(try await used() == winners)
        #expect(try await shop.reconcile(["cap": 100]).count == winners)
        // Buyers who were declined, or refused while other payments were running, can use the rest.
        let late = buyers.indices.filter { statuses[$0] != 201 }
        let again = try await parallel(late.count) { try await use(buyers[late[$0]], fromCart: late[$0] % 4 > 1) }
        for answer in again where answer.status != 201 { try answer.problem(.discountExhausted) }
        #expect(again.count { $0.status == 201 } == 5 - winners)
        #expect(try await used() == 5)
        #expect(try await shop.reconcile(["cap": 100]).count == 5)
    }
}
