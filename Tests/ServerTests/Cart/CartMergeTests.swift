import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchServer
import PouchStorage
import PouchWire
import SeededRandom
import Testing

@Suite("The guest's cart at sign-in")
struct CartMergeTests {
    private static let request = SignInRequest(email: "ada@example.com", password: .password)

    @Test func `Signing up moves the guest's cart, shipping and orders to the account, and ends the guest session`()
        async throws
    {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order()
            try await guest.add("scarf-s", 2).good()
            try await guest.ship("express").good()

            let customer = shop.caller(try await guest.call(Contract.signUp, .sample()).good())
            let cart = try await customer.cart()
            #expect(cart.lines.map(\.sku) == ["scarf-s"] && cart.lines.map(\.quantity) == [2])
            #expect(cart.shipping?.methodId == "express")
            #expect(cart.changes == [.quantity(sku: "scarf-s", .merged, from: 0, to: 2)])
            #expect(try await customer.call(Contract.orders).good().items.map(\.id) == [order.id])
            try await guest.call(Contract.cart).problem(.unauthenticated)
            try await guest.call(Contract.order, path: ["id": order.id]).problem(.unauthenticated)
        }
    }

    @Test func `Quantities are added up to the stock and to 999, and every changed line is reported`() async throws {
        let things: [FeedProduct] = [
            .stocked("plenty", stock: 5_000), .stocked("few", stock: 5), .stocked("own", stock: 9),
            .stocked("new", stock: 9),
            .stocked("gone", stock: 3),
        ]
        try await TestShop.open(things) { shop in
            let before = try await shop.customer()
            try await before.add("plenty", 500).good()
            try await before.add("few", 3).good()
            try await before.add("own", 1).good()
            let guest = try await shop.guest()
            try await guest.add("plenty", 600).good()
            try await guest.add("few", 4).good()
            try await guest.add("new", 2).good()
            try await guest.add("gone", 3).good()
            _ = try await shop.guest().order("gone", 3)

            let customer = shop.caller(try await guest.call(Contract.signIn, Self.request).good())
            let cart = try await customer.cart()
            let units = Dictionary(uniqueKeysWithValues: cart.lines.map { ($0.sku, $0.quantity) })
            #expect(units == ["plenty": 999, "few": 5, "own": 1, "new": 2])
            let changes: Set<CartChange> = [
                .quantity(sku: "plenty", .quantityReduced, from: 1_100, to: 999),
                .quantity(sku: "few", .quantityReduced, from: 7, to: 5), .quantity(sku: "new", .merged, from: 0, to: 2),
                .quantity(sku: "gone", .removed, from: 3, to: 0),
            ]
            #expect(Set(cart.changes) == changes && cart.changes.count == 4)
            #expect(try await customer.set("own", to: 2).good().changes == [])
        }
    }

    @Test func `A second sign-in with one guest token changes nothing more`() async throws {
        try await TestShop.open { shop in
            _ = try await shop.customer()
            let guest = try await shop.guest()
            try await guest.add("cap", 2).good()
            _ = try await guest.call(Contract.signIn, Self.request).good()
            let second = shop.caller(try await guest.call(Contract.signIn, Self.request).good())
            #expect(try await second.cart().lines.map(\.quantity) == [2])
            #expect(try await second.cart().version == 1)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `Concurrent sign-ins with one guest token merge once`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            let guest = try await shop.guest()
            try await guest.add("cap", 1).good()
            let statuses = try await parallel(8) { _ in try await guest.call(Contract.signIn, Self.request).status }
            #expect(Set(statuses) == [201])
            #expect(try await customer.cart().lines.map(\.quantity) == [1])
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `Units that a guest adds during the sign-in are in the account's cart or were refused`() async throws {
        let writers = 8
        try await TestShop.open((0..<writers).map { .stocked("thing-\($0)", stock: 10_000) }) { shop in
            for round in 0..<10 {
                let email = "ada-\(round)@example.com"
                _ = try await shop.customer(email)
                let guest = try await shop.guest()
                async let signedIn = guest.call(
                    Contract.signIn, SignInRequest(email: email, password: .password)
                ).good()
                // Each writer adds until it is refused, so in every round some requests run while the session ends.
                let acknowledged = try await parallel(writers) { writer in
                    for units in 0..<900 {
                        let answer = try await guest.add("thing-\(writer)")
                        guard answer.status != 200 else { continue }
                        try answer.problem(.unauthenticated)
                        return units
                    }
                    Issue.record("The session did not end.")
                    return 0
                }
                let cart = try await shop.caller(signedIn).cart()
                let units = Dictionary(uniqueKeysWithValues: cart.lines.map { ($0.sku, $0.quantity) })
                #expect((0..<writers).map { units["thing-\($0)"] ?? 0 } == acknowledged)
            }
        }
    }

    @Test func `A failed sign-in leaves the guest's cart unchanged`() async throws {
        try await TestShop.open { shop in
            _ = try await shop.customer()
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            try await guest.call(Contract.signIn, SignInRequest(email: "ada@example.com", password: "wrong password"))
                .problem(.invalidCredentials)
            try await guest.call(Contract.signUp, .sample()).problem(.emailTaken)
            #expect(try await guest.cart().lines.map(\.sku) == ["cap"])
        }
    }

    @Test func `Signing in with an expired guest token is refused, so that the cart is not lost unnoticed`()
        async throws
    {
        try await TestShop.open { shop in
            _ = try await shop.customer()
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            shop.clock.advance(by: 16 * 60)
            try await guest.call(Contract.signIn, Self.request).problem(.tokenExpired)
        }
    }

    @Test func `Signing in with another customer's token moves nothing`() async throws {
        try await TestShop.open { shop in
            _ = try await shop.customer()
            let bob = try await shop.customer("bob@example.com")
            try await bob.add("cap").good()
            let ada = shop.caller(try await bob.call(Contract.signIn, Self.request).good())
            #expect(try await ada.cart().lines == [])
            #expect(try await bob.cart().lines.map(\.sku) == ["cap"])
        }
    }
}

@Suite("Cart merge strategies at sign-in")
struct MergeAtSignInTests {
    @Test(arguments: [
        (CartMerge.Strategy.sum, 5, 3), (.max, 3, 2), (.guestWins, 2, 3), (.accountWins, 3, 1),
    ])
    func `Lines of both carts are merged by the strategy of the shop`(
        strategy: CartMerge.Strategy, caps: Int, scarves: Int
    ) async throws {
        let settings = ShopSettings(
            currency: .eur, country: "DE", shipping: ShopSettings.standard().shipping, cartMerge: strategy)
        // Only three scarves are in stock.
        try await TestShop.open(
            [.stocked("cap"), .stocked("scarf", stock: 3), .stocked("hat"), .stocked("sock")],
            configure: { $0.shop = settings }
        ) { shop in
            let before = try await shop.customer()
            for (sku, quantity) in [("cap", 3), ("scarf", 1), ("hat", 1)] { try await before.add(sku, quantity).good() }
            let guest = try await shop.guest()
            for (sku, quantity) in [("cap", 2), ("scarf", 2), ("sock", 4)] { try await guest.add(sku, quantity).good() }
            if strategy == .guestWins { try await guest.set("scarf", to: 3).good() }
            let request = SignInRequest(email: "ada@example.com", password: .password)
            let cart = try await shop.caller(guest.call(Contract.signIn, request).good()).cart()
            let units = Dictionary(uniqueKeysWithValues: cart.lines.map { ($0.sku, $0.quantity) })
            #expect(units == ["cap": caps, "scarf": scarves, "hat": 1, "sock": 4])
            var changes: Set<CartChange> = [.quantity(sku: "sock", .merged, from: 0, to: 4)]
            if caps != 3 { changes.insert(.quantity(sku: "cap", .merged, from: 3, to: caps)) }
            if scarves != 1 { changes.insert(.quantity(sku: "scarf", .merged, from: 1, to: scarves)) }
            #expect(Set(cart.changes) == changes)
        }
    }
}

@Suite("Lines returned to the cart")
struct CartPutBackTests {
    private func quantities(_ shop: TestShop, _ ownerId: String) async throws -> [String: Int] {
        let rows = try await shop.rows(
            "SELECT sku, quantity FROM cart_lines WHERE owner_id = ?", [.text(ownerId)])
        return try Dictionary(rows.map { (try $0.text(0), try $0.int(1)) }, uniquingKeysWith: +)
    }

    private func units(_ skus: [String], _ quantity: Int) -> [CartUnits] {
        skus.map { CartUnits(sku: $0, quantity: quantity, seenPrice: Money(1000, .eur)) }
    }

    @Test func `Lines are returned in order up to the cart's limit, and existing lines are raised`() async throws {
        try await TestShop.open([]) { shop in
            let skus = (0..<510).map { "thing-\($0)" }
            let here = units(["other", skus[500]], 998)
            let back = units(skus, 2)
            let leftOut = try await shop.store.write { repositories in
                let none = try repositories.carts.putBack(ownerId: "ses_1", here)
                return (none, try repositories.carts.putBack(ownerId: "ses_1", back))
            }
            #expect(leftOut.0 == [])
            #expect(leftOut.1.map(\.sku) == (498..<510).filter { $0 != 500 }.map { skus[$0] })
            let found = try await quantities(shop, "ses_1")
            #expect(found.count == ModelLimits.lines)
            #expect(found["other"] == 998 && found[skus[500]] == 999 && found[skus[497]] == 2)
            let kept = try await shop.rows(
                "SELECT sku FROM cart_lines WHERE owner_id = ? ORDER BY position, sku", [.text("ses_1")])
            let expected: [String] = ["other", skus[500]] + skus.prefix(498)
            #expect(try kept.map { try $0.text(0) } == expected)
        }
    }

    @Test func `A line of a failed order that finds no room in the full cart is reported as removed`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.voided))
            let order = try await desk.pay()
            let owner = desk.principal.ownerId
            try await desk.shop.database { connection in
                for number in 0..<ModelLimits.lines {
                    try connection.run(
                        """
                        INSERT INTO cart_lines (owner_id, sku, position, quantity, seen_price) VALUES (?, ?, ?, 1, 1)
                        """, [.text(owner), .text("thing-\(number)"), .integer(number)])
                }
            }
            desk.shop.clock.advance(by: 60)
            #expect(try await desk.settle().settled == 1)
            #expect(try await desk.guest.order(id: order.id).status == .cancelled)
            let found = try await quantities(desk.shop, owner)
            #expect(found.count == ModelLimits.lines && found["cap"] == nil)
            let changes = try await desk.guest.cart().changes
            #expect(changes.contains(.quantity(sku: "cap", .removed, from: 2, to: 0)))
        }
    }
}

@Suite("The cart merge strategies")
struct CartMergeStrategyTests {
    /// The account's quantities by SKU after a merge.
    private func merged(_ own: [String: Int], _ merge: CartMerge) -> [String: Int] {
        var result = own
        for (line, quantity) in merge.lines { result[line.offer.sku] = quantity }
        for sku in merge.removed { result[sku] = nil }
        return result
    }

    @Test(
        arguments: [
            (CartMerge.Strategy.sum, 5), (.max, 3), (.guestWins, 2), (.accountWins, 3),
        ] as [(CartMerge.Strategy, Int)])
    func `The strategy decides on lines of both carts; other lines are kept`(
        strategy: CartMerge.Strategy, both: Int
    ) throws {
        let own = ["both": 3, "account": 4]
        let guest = [try PricedLine.sample("both", quantity: 2), try PricedLine.sample("guest", quantity: 6)]
        let merge = CartMerge(own: own, guest: guest, strategy: strategy)
        #expect(merged(own, merge) == ["both": both, "account": 4, "guest": 6])
        let reported = Set(merge.changes.map(\.sku))
        #expect(reported == (both == 3 ? ["guest"] : ["both", "guest"]))
    }

    @Test(arguments: CartMerge.Strategy.allCases)
    func `A merge stays within stock and limits, reports every change, and a second merge changes nothing`(
        strategy: CartMerge.Strategy
    ) throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<1_000 {
            // Some carts are nearly full, so that not every line finds room.
            let others = Int.random(in: 0..<10, using: &random) == 0 ? ModelLimits.lines - 6 : 0
            var own: [String: Int] = [:]
            for index in 0..<others { own["other-\(index)"] = 1 }
            var guest: [PricedLine] = []
            for index in 0..<12 {
                let sku = "sku-\(index)"
                let available = [0, 1, 5, 5_000].randomElement(using: &random) ?? 0
                if Bool.random(using: &random), own.count < ModelLimits.lines {
                    own[sku] = Int.random(in: 1...999, using: &random)
                }
                if Bool.random(using: &random) {
                    guest.append(
                        try .sample(sku, quantity: Int.random(in: 1...999, using: &random), available: available))
                }
            }
            let merge = CartMerge(own: own, guest: guest, strategy: strategy)
            let result = merged(own, merge)
            #expect(result.count <= ModelLimits.lines)
            let guests = Dictionary(uniqueKeysWithValues: guest.map { ($0.offer.sku, $0) })
            let reported = Set(merge.changes.map(\.sku))
            #expect(reported.count == merge.changes.count)
            for sku in Set(own.keys).union(guests.keys) {
                if result[sku] != own[sku] { #expect(reported.contains(sku)) }
                guard let line = guests[sku] else {
                    #expect(result[sku] == own[sku] && !reported.contains(sku))
                    continue
                }
                #expect(result[sku] ?? 0 <= min(999, line.offer.available))
            }
            #expect(merged(result, CartMerge(own: result, guest: [], strategy: strategy)) == result)
            if strategy != .sum {
                // Except for sum, merging the same guest cart twice has the result of merging it once.
                #expect(merged(result, CartMerge(own: result, guest: guest, strategy: strategy)) == result)
            }
        }
    }
}
