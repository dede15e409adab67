import ServerTesting
import Testing

@Suite(
    "Sign-ins concurrent with purchases", .timeLimit(.minutes(5)),
    .inShop([.stocked("cap", stock: 100), .stocked("scarf", stock: 100)]))
struct SignInRaceTests {
    private let shop = TestShop.current

    @Test func `Concurrent sign-ins with one guest token merge the cart and move the orders once`() async throws {
        let customer = try await shop.customer()
        for round in 1...6 {
            let guest = try await shop.guest()
            try await guest.buyNow().good()
            try await guest.add("cap", 2).good()
            try await guest.add("scarf", 3).good()
            let answers = try await parallel(round.isMultiple(of: 2) ? 2 : 5) { _ in
                try await patiently { try await guest.signIn() }
            }
            // To sign in twice is no error: a session that has ended counts as none.
            #expect(answers.allSatisfy { $0.status == 201 }, "\(answers.map(\.status))")
            let units = Dictionary(uniqueKeysWithValues: try await customer.cart().lines.map { ($0.sku, $0.quantity) })
            #expect(units == ["cap": 2 * round, "scarf": 3 * round])
            #expect(try await customer.orders().count == round)
            try await guest.call(Contract.cart).problem(.unauthenticated)
        }
        try await shop.reconcile(["cap": 100, "scarf": 100])
    }

    @Test(arguments: ["tok_ok", "tok_slow"])
    func `A guest's purchase during the sign-in moves to the account with its key`(card: String) async throws {
        let answers = try await parallel(24) { number in
            let email = "ada\(number)@example.com"
            _ = try await shop.customer(email)
            let guest = try await shop.guest()
            let key = Caller.key()
            async let paying = patiently { try await guest.buyNow(card: card, key: key) }
            async let signing = patiently { try await guest.signIn(email) }
            let (answer, account) = (try await paying, shop.caller(try await signing.good()))
            let orders = try await account.orders()
            guard answer.status == 201 else {
                try answer.problem(.unauthenticated)
                #expect(orders.isEmpty)
                return false
            }
            #expect(try orders.map(\.id) == [answer.good().id])
            #expect(try await patiently { try await account.buyNow(card: card, key: key) }.body == answer.body)
            return true
        }
        #expect(try await shop.reconcile(["cap": 100]).count == answers.count { $0 })
    }

    @Test(.enabled(if: TestDatabase.isPostgres))
    func `A purchase that commits after the sign-in started moves to the account too`() async throws {
        _ = try await shop.customer()
        let (guest, other) = try await (shop.guest(), shop.guest())
        let (id, otherId) = try (#require(guest.session?.id), #require(other.session?.id))
        let order = try await other.buyNow().good()
        let purchase = HeldTransaction(shop.store) { repositories in
            _ = try repositories.sessions.session(id: id, locking: true)
            try repositories.orders.move(from: otherId, to: id)
        }
        await purchase.waitForStart()
        async let account = guest.signedIn()
        try await purchase.during { try await eventually { try await shop.waitingSessions() > 0 } }
        try await purchase.commit()
        #expect(try await account.orders().map(\.id) == [order.id])
    }

    @Test(.enabled(if: TestDatabase.isPostgres), arguments: [true, false])
    func `A sign-in and the deletion of the account lock orders before the cart, as settlements do`(isGuest: Bool)
        async throws
    {
        let customer = try await shop.customer()
        let buyer = isGuest ? try await shop.guest() : customer
        let order = try await buyer.buyNow().good()
        try await buyer.add("cap").good()
        let settlement = HeldTransaction(shop.store) { repositories in
            _ = try repositories.orders.order(id: order.id, locking: true)
        }
        await settlement.waitForStart()
        async let status = isGuest ? buyer.signIn().status : buyer.deleteAccount().status
        try await settlement.during {
            try await eventually { try await shop.waitingSessions() > 0 }
            let unlockedCarts = try await shop.rows("SELECT 1 FROM carts FOR UPDATE SKIP LOCKED").count
            #expect(unlockedCarts == 1)
        }
        await settlement.rollBack()
        #expect(try await status == (isGuest ? 201 : 204))
    }

    @Test func `A purchase during the deletion of the account keeps personal data for a set time only`() async throws {
        let sold = try await parallel(16) { number in
            let customer = try await shop.customer("ada\(number)@example.com")
            async let paying = patiently { try await customer.buyNow(email: nil) }
            async let deleting = patiently { try await customer.deleteAccount() }
            let (answer, deletion) = try await (paying, deleting)
            #expect(deletion.status == 204)
            if answer.status != 201 { try answer.problem(.unauthenticated) }
            return answer.status == 201
        }
        #expect(try await shop.reconcile(["cap": 100]).count == sold.count { $0 })
        // They are still to be sent. A job looks at each of them until it is anonymous.
        #expect(try await shop.rows("SELECT id FROM orders WHERE anonymise_at IS NULL").isEmpty)
    }

    @Test(arguments: ["tok_ok", "tok_slow", "tok_declined"])
    func `A guest who signs in while paying has the order or the cart in the account`(card: String) async throws {
        let statuses = try await parallel(8) { number in
            let email = "ada\(number)@example.com"
            _ = try await shop.customer(email)
            let guest = try await shop.guest()
            try await guest.fillCart("cap", 2)
            async let paying = patiently { key in try await guest.checkout(card, total: 2490, key: key) }
            async let signing = patiently { try await guest.signIn(email) }
            let (answer, account) = (try await paying, shop.caller(try await signing.good()))
            let orders = try await account.orders()
            let cart = try await account.cart().lines.map(\.quantity)
            if answer.status == 201 {
                #expect(try orders.map(\.id) == [answer.good().id] && cart.isEmpty)
            } else {
                try answer.problem(answer.status == 402 ? .paymentDeclined : .unauthenticated)
                #expect(orders.isEmpty && cart == [2])
            }
            return answer.status
        }
        #expect(try await shop.reconcile(["cap": 100]).count == statuses.count { $0 == 201 })
    }
}
