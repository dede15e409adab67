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

    /// Adds a code for ten percent off.
    ///
    /// - Returns: its id.
    @discardableResult
    private func addCode(limit: Int? = nil, limitPerAccount: Int? = nil) async throws -> String {
        try await admin.addDiscount(
            DiscountTerms(
                code: "CODE", kind: .percentage, basisPoints: 1000, limit: limit, limitPerAccount: limitPerAccount)
        ).good().id
    }

    private func fill(_ buyer: Caller, code: String = "CODE") async throws -> Cart {
        for line in Self.units { try await buyer.add(line.sku, line.quantity).good() }
        try await buyer.ship().good()
        return try await buyer.discount(code).good()
    }

    private func buyNow(_ buyer: Caller, total: Int64 = 4540, email: String? = nil) async throws -> Answered<Order> {
        let email = email ?? "\(buyer.session?.id ?? "guest")@example.com"
        return try await buyer.buyNow(Self.units, discount: "CODE", total: total, email: email)
    }

    private func used(_ id: String) async throws -> Int? {
        try await shop.store.read { try $0.discounts.record(id: id)?.used }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let off: Int64
        let terms: DiscountTerms

        init(_ name: String, off: Int64, _ terms: DiscountTerms) {
            (testDescription, self.off, self.terms) = (name, off, terms)
        }

        /// Ten percent off.
        init(
            _ name: String, off: Int64, minimum: Int64? = nil, products: [String]? = nil, categories: [String]? = nil
        ) {
            let terms = DiscountTerms(
                code: "CODE", kind: .percentage, basisPoints: 1000, minimum: minimum.map { Money($0, .eur) },
                products: products, categories: categories)
            self.init(name, off: off, terms)
        }
    }

    @Test(arguments: [
        Case("a percentage", off: 450),
        Case("an amount", off: 501, DiscountTerms(code: "CODE", kind: .amount, amount: Money(501, .eur))),
        Case("every third unit free", off: 1000, DiscountTerms(code: "CODE", kind: .buyXGetY, buy: 2, get: 1)),
        Case("free shipping", off: 490, DiscountTerms(code: "CODE", kind: .freeShipping)),
        Case("a category", off: 200, categories: ["hats"]),
        Case("a product", off: 250, products: ["scarf"]),
        Case("a reached minimum", off: 450, minimum: 4500),
        Case("a minimum above the items", off: 0, minimum: 4501),
        Case("a minimum above the items of the category", off: 0, minimum: 2001, categories: ["hats"]),
    ])
    func `Cart, preview, checkout and buying now take off the same discount`(kind: Case) async throws {
        let id = try await admin.addDiscount(kind.terms).good().id
        let guest = try await shop.guest()
        let total = 4990 - kind.off
        let cart = try await fill(guest, code: "code")
        #expect(cart.discount == CartDiscount(code: "CODE", amount: Money(kind.off, .eur)))
        #expect(cart.totals.discount == Money(kind.off, .eur) && cart.totals.total == Money(total, .eur))
        let preview = try await guest.preview(Self.units, to: .sample, by: "standard", discount: "CODE").good()
        #expect(preview.totals == cart.totals && preview.lines.map(\.discount) == cart.lines.map(\.discount))
        #expect(try await used(id) == 0)
        let order = try await guest.checkout(total: total).good()
        #expect(order.totals == cart.totals && order.lines.map(\.discount) == cart.lines.map(\.discount))
        let offLines = try Money.sum(order.lines.map(\.discount), in: .eur)
        #expect(offLines == Money(kind.terms.kind == .freeShipping ? 0 : kind.off, .eur))
        #expect(try await guest.cart().discount == nil)
        #expect(try await buyNow(guest, total: total).good().totals == order.totals)
        #expect(try await used(id) == 2)
    }

    @Test func `A code is valid from its start until just before its end`() async throws {
        let start = shop.clock.now.addingTimeInterval(60)
        let terms = DiscountTerms(
            code: "CODE", kind: .percentage, basisPoints: 1000, startsAt: start, endsAt: start.addingTimeInterval(60))
        try await admin.addDiscount(terms).good()
        let guest = try await shop.guest()
        shop.clock.advance(by: 59.999)
        try await guest.discount("CODE").problem(.discountInvalid)
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
        try await guest.discount("CODE").problem(.discountExpired)
    }

    @Test func `The last use of a code goes to one of the carts that have it`() async throws {
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
            try await buyer.discount("CODE").problem(.discountExhausted)
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
        try await carol.discount("CODE").problem(.discountExhausted)
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

    @Test func `An account that is deleted leaves no further use to its e-mail address, and no address`() async throws {
        try await addCode(limitPerAccount: 1)
        let carol = try await shop.customer("carol@example.com")
        try await buyNow(carol, email: "carol@example.com").good()
        try await carol.deleteAccount().good()
        try await buyNow(shop.guest(), email: "carol@example.com").problem(.discountExhausted)
        let again = try await shop.customer("carol@example.com")
        try await buyNow(again, email: "carol@example.com").problem(.discountExhausted)
        let owners = try await shop.rows("SELECT owner_id FROM discount_uses").map { try $0.text(0) }
        #expect(owners.count == 1 && !owners.joined().contains("carol"), "\(owners)")
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
        #expect(try await guest.cart().discount?.code == "CODE")
        try await guest.checkout(total: 4540).good()
        #expect(try await used(id) == 1)
    }

    @Test func `Cancelling returns the use of the code; refunding does not`() async throws {
        let id = try await addCode(limit: 1, limitPerAccount: 1)
        let guest = try await shop.guest()
        let order = try await buyNow(guest).good()
        #expect(try await guest.cancel(order.id).good().payment.refunded == Money(4540, .eur))
        #expect(try await used(id) == 0)
        let again = try await buyNow(guest).good()
        try await admin.refund(again.id).good()
        #expect(try await used(id) == 1)
        try await buyNow(guest).problem(.discountExhausted)
    }

    @Test func `A code that another person has changed is not changed with the version from before`() async throws {
        let added = try await admin.addDiscount(DiscountTerms(code: "CODE", kind: .percentage, basisPoints: 1000))
        let id = try added.good().id
        let first = try await admin.changeDiscount(id, ifMatch: added.etag) { $0.limit = .set(5) }
        #expect(try first.good().terms.limit == 5 && first.etag != added.etag)
        try await admin.changeDiscount(id, ifMatch: added.etag) { $0.limit = .set(6) }.problem(.versionConflict)
        // A use of the code is no change.
        try await buyNow(shop.guest()).good()
        #expect(try await admin.changeDiscount(id, ifMatch: first.etag) { $0.limit = .set(7) }.good().terms.limit == 7)
        #expect(try await admin.changeDiscount(id, ifMatch: "*") { $0.limit = .set(8) }.good().terms.limit == 8)
    }
}

@Suite("Orders of total 0")
struct FreeOrderTests {
    @Test func `An order of total 0 is placed without a charge`() async throws {
        let settings = ShopSettings(currency: .eur, country: "DE", shipping: [.flat("standard", 0)])
        try await TestShop.open(configure: { $0.shop = settings }) { shop in
            let all = DiscountTerms(code: "ALL", kind: .percentage, basisPoints: 10_000, limit: 1)
            try await shop.admin().addDiscount(all).good()
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
}
