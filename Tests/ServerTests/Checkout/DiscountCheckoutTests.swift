import ServerTesting
import Testing

/// The purchases are two caps at 10.00 and a scarf at 25.00, with 4.90 for shipping.
@Suite(
    "Purchases with a discount code", .timeLimit(.minutes(5)),
    .inShop([.stocked("cap", stock: 100, category: "Hats"), .sized("scarf", stock: [("S", 100)])]))
struct DiscountCheckoutTests {
    private static let units = [LineRequest(sku: "cap", quantity: 2), LineRequest(sku: "scarf-s", quantity: 1)]

    private let shop = TestShop.current
    private let admin: Caller

    init() async throws { admin = try await shop.admin() }

    /// Adds the code TEN, and returns its id.
    @discardableResult
    private func addCode(limit: Int? = nil, limitPerAccount: Int? = nil) async throws -> String {
        var terms = DiscountTerms.ten
        (terms.limit, terms.limitPerAccount) = (limit, limitPerAccount)
        return try await admin.addDiscount(terms).good().id
    }

    private func fill(_ buyer: Caller, code: String = "TEN") async throws -> Cart {
        for line in Self.units { try await buyer.add(line.sku, line.quantity).good() }
        try await buyer.ship().good()
        return try await buyer.discount(code).good()
    }

    private func buyNow(_ buyer: Caller, total: Int64 = 4540, email: String? = nil) async throws -> Answered<Order> {
        let email = email ?? "\(buyer.session?.id ?? "guest")@example.com"
        return try await buyer.buyNow(Self.units, discount: "TEN", total: total, email: email)
    }

    private func used(_ id: String) async throws -> Int? {
        try await shop.store.read { try $0.discounts.record(id: id)?.used }
    }

    private static func ten(
        minimum: Int64? = nil, products: [String]? = nil, categories: [String]? = nil
    ) -> DiscountTerms {
        var terms = DiscountTerms.ten
        (terms.minimum, terms.products, terms.categories) = (minimum.map { Money($0, .eur) }, products, categories)
        return terms
    }

    @Test(
        arguments: [
            (450, .ten), (501, DiscountTerms(code: "TEN", kind: .amount, amount: Money(501, .eur))),
            (490, DiscountTerms(code: "TEN", kind: .freeShipping)),
            // Every third unit is free.
            (1000, DiscountTerms(code: "TEN", kind: .buyXGetY, buy: 2, get: 1)),
            (200, ten(categories: ["hats"])), (250, ten(products: ["scarf"])),
            // Minimums that are reached, above the items, and above the items of the category.
            (450, ten(minimum: 4500)), (0, ten(minimum: 4501)),
            (0, ten(minimum: 2001, categories: ["hats"])),
        ] as [(Int64, DiscountTerms)])
    func `Cart, preview and purchases take off a discount as stored`(off: Int64, terms: DiscountTerms) async throws {
        let added = try await admin.addDiscount(terms).good()
        #expect(added.terms == terms)
        #expect(try await admin.call(Contract.discounts).good().items == [added])
        let guest = try await shop.guest()
        let total = 4990 - off
        let cart = try await fill(guest, code: "ten")
        #expect(cart.discount == CartDiscount(code: "TEN", amount: Money(off, .eur)))
        #expect(cart.totals.discount == Money(off, .eur) && cart.totals.total == Money(total, .eur))
        let preview = try await guest.preview(Self.units, to: .sample, by: "standard", discount: "TEN").good()
        #expect(preview.totals == cart.totals && preview.lines.map(\.discount) == cart.lines.map(\.discount))
        #expect(try await used(added.id) == 0)
        let order = try await guest.checkout(total: total).good()
        #expect(order.totals == cart.totals && order.lines.map(\.discount) == cart.lines.map(\.discount))
        let offLines = try Money.sum(order.lines.map(\.discount), in: .eur)
        #expect(offLines == Money(terms.kind == .freeShipping ? 0 : off, .eur))
        #expect(try await guest.cart().discount == nil)
        #expect(try await buyNow(guest, total: total).good().totals == order.totals)
        #expect(try await used(added.id) == 2)
    }

    @Test func `A code is valid from its start until just before its end`() async throws {
        let start = shop.clock.now.addingTimeInterval(60)
        var terms = DiscountTerms.ten
        (terms.startsAt, terms.endsAt) = (start, start.addingTimeInterval(60))
        try await admin.addDiscount(terms).good()
        let guest = try await shop.guest()
        shop.clock.advance(by: 59.999)
        try await guest.discount("TEN").problem(.discountInvalid)
        try await buyNow(guest).problem(.discountInvalid)
        shop.clock.advance(by: 0.001)
        #expect(try await fill(guest).totals.total == Money(4540, .eur))
        try await buyNow(guest).good()
        shop.clock.advance(by: 59.999)
        #expect(try await guest.cart().totals.total == Money(4540, .eur))
        shop.clock.advance(by: 0.001)
        let cart = try await guest.cart()
        #expect(cart.discount == nil && cart.totals.total == Money(4990, .eur))
        try await buyNow(guest).problem(.discountExpired)
        try await guest.checkout(total: 4540).problem(.discountExpired)
        #expect(try await shop.available("cap") == 98)
        #expect(try await guest.checkout(total: 4990).good().totals.discount == Money(0, .eur))
        try await guest.discount("TEN").problem(.discountExpired)
    }

    @Test func `Only one of the carts with a code gets its last use`() async throws {
        let id = try await addCode(limit: 1)
        let buyers = try await parallel(10) { _ in
            let guest = try await shop.guest()
            _ = try await fill(guest)
            return guest
        }
        let answers = try await parallel(10) { try await buyers[$0].checkout(total: 4540) }
        #expect(answers.count { $0.status == 201 } == 1)
        for (answer, buyer) in zip(answers, buyers) where answer.status != 201 {
            try answer.problem(.discountExhausted)
            let cart = try await buyer.cart()
            #expect(cart.discount == nil && cart.totals.total == Money(4990, .eur))
            try await buyer.discount("TEN").problem(.discountExhausted)
        }
        #expect(try await used(id) == 1)
        #expect(try await shop.charges() == 1)
        #expect(try await shop.available("cap") == 98)
    }

    @Test func `The limit per account includes uses as a guest before signing up`() async throws {
        try await addCode(limitPerAccount: 1)
        let (ada, bob) = (try await shop.customer(), try await shop.customer("bob@example.com"))
        try await buyNow(ada).good()
        try await buyNow(ada).problem(.discountExhausted)
        try await buyNow(bob).good()
        let guest = try await shop.guest()
        try await buyNow(guest).good()
        let carol = try await guest.signedUp("carol@example.com")
        try await buyNow(carol).problem(.discountExhausted)
        try await carol.discount("TEN").problem(.discountExhausted)
    }

    @Test func `A limit per account counts orders by their e-mail address, in any browser and account`() async throws {
        try await addCode(limitPerAccount: 1)
        let (one, other) = (try await shop.guest(), try await shop.guest())
        let first = try await buyNow(one, email: "once@example.com").good()
        try await buyNow(other, email: " Once@Example.com").problem(.discountExhausted)
        _ = try await fill(other)
        try await other.checkout(total: 4540, email: "once@example.com").problem(.discountExhausted)
        // The order is the buyer's own by now; its use is given back under the same address.
        let account = try await one.signedUp("carol@example.com")
        try await account.cancel(first.id).good()
        try await buyNow(other, email: "once@example.com").good()
        try await buyNow(shop.guest(), email: "once@example.com").problem(.discountExhausted)
        // An account counts for itself, too, with any address.
        try await buyNow(account, email: "once@example.com").problem(.discountExhausted)
        try await buyNow(account, email: "carol@example.com").good()
        try await buyNow(account, email: "else@example.com").problem(.discountExhausted)
    }

    @Test func `Deleting an account leaves no further use for its e-mail address, which is not stored`() async throws {
        try await addCode(limitPerAccount: 1)
        let carol = try await shop.customer("carol@example.com")
        try await buyNow(carol, email: "carol@example.com").good()
        try await carol.deleteAccount().good()
        try await buyNow(shop.guest(), email: "carol@example.com").problem(.discountExhausted)
        let again = try await shop.customer("carol@example.com")
        try await buyNow(again, email: "carol@example.com").problem(.discountExhausted)
        let owners = try await shop.rows("SELECT owner_id FROM discount_uses").map { try $0.text(0) }
        #expect(owners.count == 1 && owners[0].hasPrefix("email ") && !owners[0].contains("carol"), "\(owners)")
    }

    @Test func `A limit per account counts earlier uses, but not those of cancelled orders`() async throws {
        let id = try await addCode()
        let (ada, bob) = (try await shop.customer(), try await shop.customer("bob@example.com"))
        try await buyNow(ada).good()
        try await bob.cancel(buyNow(bob).good().id).good()
        try await admin.changeDiscount(id) { $0.limitPerAccount = .set(1) }.good()
        try await buyNow(ada).problem(.discountExhausted)
        try await buyNow(bob).good()
        try await buyNow(bob).problem(.discountExhausted)
    }

    @Test(arguments: [("tok_declined", ProblemCode.paymentDeclined), ("tok_error", .paymentProviderError)])
    func `A failed payment returns the use, and the cart keeps the code`(card: String, code: ProblemCode) async throws {
        let id = try await addCode(limit: 1, limitPerAccount: 1)
        let guest = try await shop.guest()
        _ = try await fill(guest)
        try await guest.checkout(card, total: 4540).problem(code)
        #expect(try await used(id) == 0)
        #expect(try await guest.cart().discount?.code == "TEN")
        try await guest.checkout(total: 4540).good()
        #expect(try await used(id) == 1)
    }

    @Test func `Cancelling returns the use of the code; refunding does not`() async throws {
        let id = try await addCode(limit: 1, limitPerAccount: 1)
        let guest = try await shop.guest()
        #expect(try await guest.cancel(buyNow(guest).good().id).good().payment.refunded == Money(4540, .eur))
        #expect(try await used(id) == 0)
        try await admin.refund(buyNow(guest).good().id).good()
        #expect(try await used(id) == 1)
        try await buyNow(guest).problem(.discountExhausted)
    }

    @Test func `A change of a code with an outdated version is refused`() async throws {
        let added = try await admin.addDiscount(.ten)
        let id = try added.good().id
        let first = try await admin.changeDiscount(id, ifMatch: added.etag) { $0.limit = .set(5) }
        #expect(try first.good().terms.limit == 5 && first.etag != added.etag)
        try await admin.changeDiscount(id, ifMatch: added.etag) { $0.limit = .set(6) }.problem(.versionConflict)
        // A use of the code is no change.
        try await buyNow(shop.guest()).good()
        #expect(try await admin.changeDiscount(id, ifMatch: first.etag) { $0.limit = .set(7) }.good().terms.limit == 7)
        #expect(try await admin.changeDiscount(id, ifMatch: "*") { $0.limit = .set(8) }.good().terms.limit == 8)
    }

    @Test(.inShop(configure: { $0.shop = .init(currency: .eur, country: "DE", shipping: [.flat("standard", 0)]) }))
    func `An order of total 0 is placed without a charge`() async throws {
        let all = DiscountTerms(code: "ALL", kind: .percentage, basisPoints: 10_000, limit: 1)
        try await admin.addDiscount(all).good()
        let guest = try await shop.guest()
        try await guest.fillCart("cap", 2)
        #expect(try await guest.discount("ALL").good().totals.total == Money(0, .eur))
        let order = try await guest.checkout("tok_declined", total: 0).good()
        #expect(order.status == .paid && order.payment.amount == Money(0, .eur))
        #expect(try await shop.available("cap") == 8)
        #expect(try await shop.charges() == 0)
        let cancelled = try await guest.cancel(order.id).good()
        #expect(cancelled.status == .cancelled && cancelled.payment.status == .refunded)
        #expect(try await shop.available("cap") == 10)
    }
}
