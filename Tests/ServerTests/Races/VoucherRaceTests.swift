import PouchContract
import PouchDomain
import PouchEntities
import PouchStorage
import PouchWire
import Testing

/// Freely after the invariant of that name in Warszawski and Bailis, ACIDRain (SIGMOD 2017): a code is used no more often
/// than it may be.
@Suite("Discount codes that many use at once", .timeLimit(.minutes(2)))
struct VoucherRaceTests {
    /// A cap with standard shipping, less 10 % of the cap.
    private static let reduced: Int64 = 1390

    /// Buys a cap with the code, out of a cart that is ready for it or without a cart.
    private func use(
        _ caller: Caller, fromCart: Bool, card: String = "tok_ok"
    ) async throws -> Answered<Order> {
        let key = Caller.key()
        return try await patiently {
            fromCart
                ? try await caller.checkout(card, total: Self.reduced, key: key)
                : try await caller.buyNow(
                    [LineRequest(sku: "cap", quantity: 1)], discount: "TEN", card: card, total: Self.reduced, key: key)
        }
    }

    private func fillCart(_ caller: Caller) async throws {
        try await caller.add("cap").good()
        try await caller.ship().good()
        let cart = try await caller.call(Contract.setCartDiscount, DiscountRequest(code: "TEN")).good()
        #expect(cart.totals.total.amount == Self.reduced)
    }

    private func addTen(limit: Int? = nil, limitPerAccount: Int? = nil, in shop: TestShop) async throws {
        var terms = DiscountTerms.ten
        terms.limit = limit
        terms.limitPerAccount = limitPerAccount
        try await shop.admin().addDiscount(terms).good()
    }

    private func used(in shop: TestShop) async throws -> Int? {
        try await shop.rows("SELECT used FROM discounts").first?.int(0)
    }

    @Test func `The last use goes to one of many, out of a cart or not, and the others are not charged`() async throws {
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            try await addTen(limit: 1, in: shop)
            let buyers = try await parallel(60) { number in
                let guest = try await shop.guest()
                if number.isMultiple(of: 2) { try await fillCart(guest) }
                return guest
            }
            let answers = try await parallel(60) { try await use(buyers[$0], fromCart: $0.isMultiple(of: 2)) }
            for answer in answers where answer.status != 201 { try answer.problem(.discountExhausted) }
            #expect(answers.count { $0.status == 201 } == 1)
            #expect(try await used(in: shop) == 1)
            let orders = try await shop.books(["cap": 100])
            #expect(orders.map(\.order.totals.total.amount) == [Self.reduced])
            // What those who were too late had chosen is still there.
            for number in 0..<60 where number.isMultiple(of: 2) && answers[number].status != 201 {
                #expect(try await buyers[number].cart().lines.map(\.quantity) == [1])
            }
        }
    }

    @Test func `One account that sends many purchases at once uses its only use once`() async throws {
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            try await addTen(limitPerAccount: 1, in: shop)
            let devices =
                [try await shop.customer()] + (try await parallel(3) { _ in try await shop.signIn() })
            try await fillCart(devices[0])
            let answers = try await parallel(40) { try await use(devices[$0 % 4], fromCart: $0 == 7) }
            let winners = answers.filter { $0.status == 201 }
            #expect(winners.count == 1)
            for answer in answers where answer.status != 201 { try answer.problem(.discountExhausted) }
            #expect(try await used(in: shop) == 1)
            #expect(try await shop.books(["cap": 100]).count == 1)
            #expect(try await devices[1].call(Contract.orders).good().items.count == 1)
        }
    }

    @Test func `Uses of purchases whose card is declined can be had by others, and no more than there are`()
        async throws
    {
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            try await addTen(limit: 5, limitPerAccount: 1, in: shop)
            let buyers = try await parallel(30) { number in
                let guest = try await shop.guest()
                if number % 4 > 1 { try await fillCart(guest) }
                return guest
            }
            let statuses = try await parallel(30) { number in
                try await use(
                    buyers[number], fromCart: number % 4 > 1, card: number.isMultiple(of: 2) ? "tok_declined" : "tok_ok"
                ).status
            }
            #expect(Set(statuses).isSubset(of: [201, 402, 422]))
            let winners = statuses.count { $0 == 201 }
            #expect(winners <= 5)
            #expect(try await used(in: shop) == winners)
            #expect(try await shop.books(["cap": 100]).count == winners)

            // Whoever was declined, or came while others' cards were asked, can still have what is left.
            let late = buyers.indices.filter { statuses[$0] != 201 }
            let again = try await parallel(late.count) { index in
                try await use(buyers[late[index]], fromCart: late[index] % 4 > 1)
            }
            for answer in again where answer.status != 201 { try answer.problem(.discountExhausted) }
            #expect(again.count { $0.status == 201 } == 5 - winners)
            #expect(try await used(in: shop) == 5)
            #expect(try await shop.books(["cap": 100]).count == 5)
        }
    }
}
