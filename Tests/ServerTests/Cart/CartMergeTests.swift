import SeededRandom
import ServerTesting
import Testing

extension [FeedProduct] {
    fileprivate static var forMerging: [FeedProduct] {
        let some: [FeedProduct] = [
            .stocked("plenty", stock: 5_000), .stocked("few", stock: 5), .stocked("own", stock: 9),
            .stocked("new", stock: 9), .stocked("gone", stock: 3),
        ]
        return usual + some + (0..<8).map { FeedProduct.stocked("thing-\($0)", stock: 10_000) }
    }
}

extension Cart {
    fileprivate var units: [String: Int] { Dictionary(uniqueKeysWithValues: lines.map { ($0.sku, $0.quantity) }) }
}

extension Caller {
    fileprivate func fill(_ units: KeyValuePairs<String, Int>) async throws {
        for (sku, quantity) in units { try await add(sku, quantity).good() }
    }
}

@Suite("The guest's cart at sign-in", .timeLimit(.minutes(5)), .inShop(.forMerging))
struct CartMergeTests {
    private let shop = TestShop.current
    private let guest: Caller
    private let customer: Caller

    init() async throws { (guest, customer) = (try await shop.guest(), try await shop.customer()) }

    @Test func `Signing up moves a guest's cart, shipping and orders, and ends the guest session`() async throws {
        let order = try await guest.order()
        try await guest.add("scarf-s", 2).good()
        try await guest.ship("express").good()
        let bob = try await guest.signedUp("bob@example.com")
        let cart = try await bob.cart()
        #expect(cart.units == ["scarf-s": 2] && cart.shipping?.methodId == "express")
        #expect(cart.changes == [.quantity(sku: "scarf-s", .merged, from: 0, to: 2)])
        #expect(try await bob.orders().map(\.id) == [order.id])
        try await guest.call(Contract.cart).problem(.unauthenticated)
        try await guest.call(Contract.order, path: ["id": order.id]).problem(.unauthenticated)
    }

    @Test func `Quantities are added up to the stock and to 999, and every changed line is reported`() async throws {
        try await customer.fill(["plenty": 500, "few": 3, "own": 1])
        try await guest.fill(["plenty": 600, "few": 4, "new": 2, "gone": 3])
        _ = try await shop.guest().order("gone", 3)
        let signedIn = try await guest.signedIn()
        let cart = try await signedIn.cart()
        #expect(cart.units == ["plenty": 999, "few": 5, "own": 1, "new": 2])
        let changes: Set<CartChange> = [
            .quantity(sku: "plenty", .quantityReduced, from: 1_100, to: 999),
            .quantity(sku: "few", .quantityReduced, from: 7, to: 5), .quantity(sku: "new", .merged, from: 0, to: 2),
            .quantity(sku: "gone", .removed, from: 3, to: 0),
        ]
        #expect(Set(cart.changes) == changes && cart.changes.count == 4)
        #expect(try await signedIn.set("own", to: 2).good().changes == [])
    }

    @Test func `A second sign-in with one guest token changes nothing more`() async throws {
        try await guest.add("cap", 2).good()
        try await guest.signIn().good()
        let cart = try await guest.signedIn().cart()
        #expect(cart.units == ["cap": 2] && cart.version == 1)
    }

    @Test func `Units that a guest adds during the sign-in are in the account's cart or were refused`() async throws {
        for round in 0..<10 {
            let email = "ada-\(round)@example.com"
            _ = try await shop.customer(email)
            let guest = try await shop.guest()
            async let signedIn = guest.signedIn(email)
            // Each writer adds until it is refused, so in every round some requests run while the session ends.
            let acknowledged = try await parallel(8) { writer in
                for units in 0..<900 {
                    let answer = try await guest.add("thing-\(writer)")
                    guard answer.status != 200 else { continue }
                    try answer.problem(.unauthenticated)
                    return units
                }
                Issue.record("The session did not end.")
                return 0
            }
            let units = try await signedIn.cart().units
            #expect((0..<8).map { units["thing-\($0)"] ?? 0 } == acknowledged)
        }
    }

    @Test func `A failed sign-in leaves the guest's cart unchanged`() async throws {
        try await guest.add("cap").good()
        try await guest.signIn(password: "wrong password").problem(.invalidCredentials)
        try await guest.signUp().problem(.emailTaken)
        #expect(try await guest.cart().units == ["cap": 1])
    }

    @Test func `Signing in with an expired guest token is refused, so that no cart is lost unnoticed`() async throws {
        try await guest.add("cap").good()
        shop.clock.advance(by: 16 * 60)
        try await guest.signIn().problem(.tokenExpired)
    }

    @Test func `Signing in with another customer's token moves nothing`() async throws {
        let bob = try await shop.customer("bob@example.com")
        try await bob.add("cap").good()
        #expect(try await bob.signedIn().cart().lines == [])
        #expect(try await bob.cart().units == ["cap": 1])
    }
}

@Suite("Cart merge strategies at sign-in")
struct MergeAtSignInTests {
    @Test(arguments: [(CartMerge.Strategy.sum, 5, 3), (.max, 3, 2), (.guestWins, 2, 3), (.accountWins, 3, 1)])
    func `Lines of both carts are merged by the strategy of the shop`(
        strategy: CartMerge.Strategy, caps: Int, scarves: Int
    ) async throws {
        let settings = ShopSettings(
            currency: .eur, country: "DE", shipping: ShopSettings.standard().shipping, cartMerge: strategy)
        // Only three scarves are in stock.
        let products: [FeedProduct] = [.stocked("cap"), .stocked("scarf", stock: 3), .stocked("hat"), .stocked("sock")]
        try await TestShop.open(products, configure: { $0.shop = settings }) { shop in
            try await shop.customer().fill(["cap": 3, "scarf": 1, "hat": 1])
            let guest = try await shop.guest()
            try await guest.fill(["cap": 2, "scarf": strategy == .guestWins ? 3 : 2, "sock": 4])
            let cart = try await guest.signedIn().cart()
            #expect(cart.units == ["cap": caps, "scarf": scarves, "hat": 1, "sock": 4])
            var changes: Set<CartChange> = [.quantity(sku: "sock", .merged, from: 0, to: 4)]
            if caps != 3 { changes.insert(.quantity(sku: "cap", .merged, from: 3, to: caps)) }
            if scarves != 1 { changes.insert(.quantity(sku: "scarf", .merged, from: 1, to: scarves)) }
            #expect(Set(cart.changes) == changes)
        }
    }
}

@Suite("Lines returned to the cart", .atDesk())
struct CartPutBackTests {
    private let desk: SettlementDesk
    private var shop: TestShop { desk.shop }

    init() async throws { desk = try await SettlementDesk(.current) }

    private func quantities(_ ownerId: String) async throws -> [String: Int] {
        let rows = try await shop.rows("SELECT sku, quantity FROM cart_lines WHERE owner_id = ?", [.text(ownerId)])
        return try Dictionary(rows.map { (try $0.text(0), try $0.int(1)) }, uniquingKeysWith: +)
    }

    private func units(_ skus: [String], _ quantity: Int) -> [CartUnits] {
        skus.map { CartUnits(sku: $0, quantity: quantity, seenPrice: Money(1000, .eur)) }
    }

    @Test func `Lines are returned in order up to the cart's limit, and existing lines are raised`() async throws {
        let skus = (0..<510).map { "thing-\($0)" }
        let (here, back) = (units(["other", skus[500]], 998), units(skus, 2))
        let leftOut = try await shop.store.write { repositories in
            let none = try repositories.carts.putBack(ownerId: "ses_1", here)
            return (none, try repositories.carts.putBack(ownerId: "ses_1", back))
        }
        #expect(leftOut.0 == [])
        #expect(leftOut.1.map(\.sku) == (498..<510).filter { $0 != 500 }.map { skus[$0] })
        let found = try await quantities("ses_1")
        #expect(found.count == ModelLimits.lines)
        #expect(found["other"] == 998 && found[skus[500]] == 999 && found[skus[497]] == 2)
        let kept = try await shop.rows(
            "SELECT sku FROM cart_lines WHERE owner_id = ? ORDER BY position, sku", [.text("ses_1")])
        let expected: [String] = ["other", skus[500]] + skus.prefix(498)
        #expect(try kept.map { try $0.text(0) } == expected)
    }

    @Test func `A line of a failed order that finds no room in the full cart is reported as removed`() async throws {
        await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.voided))
        let order = try await desk.pay()
        let owner = desk.principal.ownerId
        try await shop.database { connection in
            for number in 0..<ModelLimits.lines {
                try connection.run(
                    """
                    INSERT INTO cart_lines (owner_id, sku, position, quantity, seen_price) VALUES (?, ?, ?, 1, 1)
                    """, [.text(owner), .text("thing-\(number)"), .integer(number)])
            }
        }
        shop.clock.advance(by: 60)
        #expect(try await desk.settle().settled == 1)
        #expect(try await desk.guest.order(id: order.id).status == .cancelled)
        let found = try await quantities(owner)
        #expect(found.count == ModelLimits.lines && found["cap"] == nil)
        #expect(try await desk.guest.cart().changes.contains(.quantity(sku: "cap", .removed, from: 2, to: 0)))
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

    @Test(arguments: CartMerge.Strategy.allCases)
    func `Merges keep to stock and limits, report changes, and are idempotent`(strategy: CartMerge.Strategy) throws {
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
