import ServerTesting
import Testing

@testable import PouchDomain

@Suite("The status of a product")
struct ProductStateTests {
    private static let moment = Date(timeIntervalSince1970: 1_800_000_000)
    private static let statuses = ProductStatus.allCases.filter { $0 != .unrecognised }

    @Test(.inShop()) func `Every pair of statuses is allowed or refused over HTTP as the table says`() async throws {
        let expected: Set<[ProductStatus]> = [
            [.draft, .published], [.draft, .archived], [.published, .withdrawn], [.published, .archived],
            [.withdrawn, .published], [.withdrawn, .archived], [.archived, .withdrawn],
        ]
        let (shop, admin) = (TestShop.current, try await TestShop.current.admin())
        let cap = try await admin.product("cap")
        for old in Self.statuses {
            for new in Self.statuses {
                _ = try await shop.database {
                    try $0.run("UPDATE products SET status = ? WHERE id = ?", [.text(old.rawValue), .text(cap.id)])
                }
                let answer = try await admin.change(product: cap.id) { $0.status = new }
                if old == new || expected.contains([old, new]) {
                    #expect(try answer.good().status == new, "\(old) to \(new)")
                } else {
                    try answer.problem(.statusConflict)
                    #expect(try await admin.product("cap").status == old)
                }
                #expect(ProductMachine.allows(old, to: new) == (old == new || expected.contains([old, new])))
            }
        }
    }

    @Test(.inShop()) func `A new product is a draft or published`() async throws {
        let admin = try await TestShop.current.admin()
        for status in Self.statuses {
            let answer = try await admin.addProduct(
                ProductTerms(name: "New", status: status, variants: [VariantTerms(price: Money(1, .eur))]))
            if status == .draft || status == .published {
                try answer.good()
            } else {
                try answer.problem(.statusConflict)
            }
        }
    }

    @Test(arguments: [
        (ProductState(.draft), ProductStatus.draft),
        (ProductState(.draft, publishAt: moment), .published),
        (ProductState(.draft, publishAt: moment + 0.001), .draft),
        (ProductState(.withdrawn, publishAt: moment - 1, withdrawAt: moment), .withdrawn),
        (ProductState(.draft, publishAt: moment - 1, withdrawAt: moment + 0.001), .published),
        (ProductState(.published, withdrawAt: moment), .withdrawn),
        (ProductState(.published, withdrawAt: moment + 0.001), .published),
        (ProductState(.archived), .archived),
    ])
    func `The status at a moment follows from the times`(state: ProductState, status: ProductStatus) {
        #expect(state.settled(at: Self.moment).status == status)
    }

    @Test(.inShop(runsJobs: false))
    func `A product is published and withdrawn at its times, to the millisecond, without a job`() async throws {
        let shop = TestShop.current
        let (admin, guest) = (try await shop.admin(), try await shop.guest())
        let now = shop.clock.now
        let (start, end) = (now.addingTimeInterval(60), now.addingTimeInterval(120))
        let made = try await admin.addProduct(
            ProductTerms(
                name: "Drop", publishAt: start, withdrawAt: end,
                variants: [VariantTerms(price: Money(1000, .eur), stock: 9)])
        ).good()
        #expect(made.status == .draft && made.state.publishAt == start)
        func isShown() async throws -> Bool {
            try await shop.readAgain()
            try await shop.services.catalog.prepareBoundary()
            return try await shop.anyone.call(Contract.product, path: ["handle": "drop"]).status == 200
        }
        #expect(try await !isShown())
        shop.clock.advance(by: 59.999)
        #expect(try await !isShown())
        try await guest.add("drop").problem(.notForSale)
        shop.clock.advance(by: 0.001)
        // The prepared snapshot, without a check in between.
        #expect(try await shop.services.catalog.current().product(handle: "drop")?.variants.first?.available == 9)
        try await guest.fillCart("drop")
        #expect(try await admin.product("drop").status == .published)
        #expect(try await isShown())
        shop.clock.advance(by: 59.999)
        #expect(try await guest.cart().lines.map(\.sku) == ["drop"])
        #expect(try await guest.set("drop", to: 2, headers: .minimal).summary().totals.items.amount == 2_000)
        shop.clock.advance(by: 0.001)
        #expect(try await shop.services.catalog.current().product(handle: "drop") == nil)
        try await guest.add("cap").good()
        // Sums on the head of the cart do not outlive the withdrawal either.
        #expect(try await guest.set("cap", to: 2, headers: .minimal).summary().totals.items.amount == 2_000)
        let cart = try await guest.cart()
        #expect(cart.lines.map(\.sku) == ["cap"])
        #expect(cart.changes == [.quantity(sku: "drop", .removed, from: 2, to: 0)])
        #expect(try await admin.product("drop").status == .withdrawn)
    }

    @Test(.inShop())
    func `Due changes of a status are stored once by any number of servers, with their events`() async throws {
        let (shop, admin) = (TestShop.current, try await TestShop.current.admin())
        let start = shop.clock.now.addingTimeInterval(60)
        let made = try await admin.addProduct(
            ProductTerms(name: "Drop", publishAt: start, variants: [VariantTerms(price: Money(1000, .eur))])
        ).good()
        try await admin.change(product: made.id) { $0.withdrawAt = .set(start.addingTimeInterval(1)) }.good()
        shop.clock.advance(by: 61)
        let products = ProductAdministration(shop.environment)
        _ = try await parallel(4) { _ in try await shop.store.write { try products.settle(in: $0) } }
        let events = try await shop.events(of: made.id).map(\.type)
        #expect(events == [.productCreated, .productUpdated, .productPublished, .productWithdrawn])
        let after = try await admin.product("drop")
        #expect(after.state == ProductState(.withdrawn) && after.version == 3)
        #expect(try await shop.store.read { try products.nextDue(in: $0) } == nil)
    }

    @Test(.inShop())
    func `Times that contradict the status are refused, and a new status ends the old times`() async throws {
        let (shop, admin) = (TestShop.current, try await TestShop.current.admin())
        let later = shop.clock.now.addingTimeInterval(60)
        let refused: [(inout ProductPatch) -> Void] = [
            { $0.publishAt = .set(later) },
            { ($0.status, $0.withdrawAt) = (.withdrawn, .set(later)) },
            { ($0.status, $0.publishAt, $0.withdrawAt) = (.withdrawn, .set(later), .set(later)) },
        ]
        for change in refused { try await admin.change(product: "cap", change).problem(.validationFailed) }
        let timed = try await admin.change(product: "cap") { $0.withdrawAt = .set(later) }.good()
        #expect(timed.state == ProductState(.published, withdrawAt: later))
        #expect(try await admin.change(product: "cap") { $0.name = "Cap 2" }.good().state == timed.state)
        let cleared = try await admin.change(product: "cap") { $0.withdrawAt = .clear }.good()
        #expect(cleared.state == ProductState(.published))
        try await admin.change(product: "cap") { $0.withdrawAt = .set(later) }.good()
        let out = try await admin.change(product: "cap") { $0.status = .withdrawn }.good()
        #expect(out.state == ProductState(.withdrawn))
        // A time that has passed takes effect at once.
        let back = try await admin.change(product: "cap") { $0.publishAt = .set(shop.clock.now) }.good()
        #expect(back.state == ProductState(.published))
    }
}

@Suite("Products that are not for sale", .inShop())
struct NotForSaleTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let guest: Caller

    init() async throws { (admin, guest) = (try await shop.admin(), try await shop.guest()) }

    @Test func `Adding, previewing and buying name every line that is not for sale`() async throws {
        try await admin.change(product: "cap") { $0.status = .withdrawn }.good()
        try await admin.change(product: "scarf") { $0.status = .archived }.good()
        let lines = [StockShortfall(sku: "cap", available: 0), StockShortfall(sku: "scarf-s", available: 0)]
        #expect(try await guest.add("cap").problem(.notForSale).lines == [lines[0]])
        let wanted = ["cap", "gloves", "scarf-s"].map { LineRequest(sku: $0, quantity: 1) }
        #expect(try await guest.buyNow(wanted, total: 1).problem(.notForSale).lines == lines)
        let preview = try await guest.call(Contract.previewOrder, PreviewRequest(lines: wanted))
        #expect(try preview.problem(.notForSale).lines == lines)
        try await guest.add("nosuch").problem(.unknownSKU)
        #expect(try await shop.charges() == 0)
    }

    @Test func `A cart lists lines that are not for sale, and a checkout needs the total without them`() async throws {
        try await guest.add("cap", 2).good()
        try await guest.add("scarf-s").good()
        try await guest.ship().good()
        let before = try await guest.cart()
        try await admin.change(product: "cap") { $0.status = .withdrawn }.good()
        let refusal = try await guest.checkout(total: before.totals.total.amount).problem(.notForSale)
        #expect(refusal.lines == [StockShortfall(sku: "cap", available: 0)])
        let cart = try await guest.cart()
        #expect(cart.lines.map(\.sku) == ["scarf-s"] && cart.version == before.version)
        #expect(cart.changes == [.quantity(sku: "cap", .removed, from: 2, to: 0)])
        try await guest.set("cap", to: 1).problem(.notForSale)
        // On sale again, the line counts again.
        try await admin.change(product: "cap") { $0.status = .published }.good()
        #expect(try await guest.cart().totals == before.totals)
        try await admin.change(product: "cap") { $0.status = .withdrawn }.good()
        #expect(try await guest.checkout(total: cart.totals.total.amount).good().lines.map(\.sku) == ["scarf-s"])
        #expect(try await guest.cart().changes == [])
    }

    @Test func `A cart of only such lines is refused, and removing them ends the notice`() async throws {
        try await guest.fillCart()
        try await admin.change(product: "cap") { $0.status = .withdrawn }.good()
        try await guest.checkout(total: 490).problem(.notForSale)
        try await guest.call(Contract.removeCartLine, path: ["sku": "cap"]).good()
        #expect(try await guest.cart().changes == [])
        try await guest.checkout(total: 490).problem(.cartEmpty)
    }

    @Test func `A guest's line that is not for sale is left out at sign-up, and listed as a change`() async throws {
        try await guest.add("cap", 3).good()
        try await admin.change(product: "cap") { $0.status = .withdrawn }.good()
        let cart = try await guest.signedUp().cart()
        #expect(cart.lines == [] && cart.changes == [.quantity(sku: "cap", .removed, from: 3, to: 0)])
    }

    /// The sales of a product that were answered, and whether its withdrawal was.
    private actor Counter {
        private(set) var isGone = false
        private(set) var sold = 0
        private let (sales, sale) = AsyncStream<Void>.makeStream()

        func sells() {
            sold += 1
            sale.yield()
        }

        func goes() { isGone = true }

        /// Waits for a number of sales.
        nonisolated func sells(_ count: Int) async { for await _ in sales.prefix(count) {} }
    }

    @Test(.timeLimit(.minutes(10)))
    func `No purchase begun after a withdrawal was answered succeeds, and each other ends cleanly`() async throws {
        let (buyerCount, stock) = (12, 500)
        let skus = (0..<4).map { "item-\($0)" }
        try await shop.stock(skus.map { .stocked($0, stock: stock) })
        let buyers = try await parallel(buyerCount) { _ in try await shop.guest() }
        var sold = 0
        for sku in skus {
            let counter = Counter()
            async let withdrawing: Void = {
                // While all buyers are buying.
                await counter.sells(buyerCount)
                _ = try await patiently { try await admin.change(product: sku) { $0.status = .withdrawn } }.good()
                await counter.goes()
            }()
            // Each buys until the shop refuses.
            _ = try await parallel(buyerCount) { number in
                while true {
                    let isGone = await counter.isGone
                    let answer = try await patiently { try await buyers[number].buyNow(sku) }
                    guard answer.status == 201 else { return try answer.problem(.notForSale) }
                    #expect(!isGone)
                    await counter.sells()
                }
            }
            try await withdrawing
            #expect(try await shop.units(sku) == [stock - counter.sold, 0])
            #expect(await counter.sold >= buyerCount)
            sold += await counter.sold
        }
        #expect(try await shop.charges() == sold)
    }
}
