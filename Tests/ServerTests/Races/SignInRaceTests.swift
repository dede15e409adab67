import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchStorage
import PouchWire
import ServerTesting
import Testing

@Suite("Sign-ins concurrent with purchases", .timeLimit(.minutes(5)))
struct SignInRaceTests {
    private static let request = SignInRequest(email: "ada@example.com", password: .password)

    @Test func `Concurrent sign-ins with one guest token merge the cart and move the orders once`() async throws {
        try await TestShop.open([.stocked("cap", stock: 100), .stocked("scarf", stock: 100)]) { shop in
            let customer = try await shop.customer()
            for round in 1...6 {
                let guest = try await shop.guest()
                try await guest.buyNow().good()
                try await guest.add("cap", 2).good()
                try await guest.add("scarf", 3).good()
                let answers = try await parallel(round.isMultiple(of: 2) ? 2 : 5) { _ in
                    try await patiently { try await guest.call(Contract.signIn, Self.request) }
                }
                // The token of a session that is already merged is refused.
                #expect(answers.contains { $0.status == 201 })
                for answer in answers where answer.status != 201 { try answer.problem(.unauthenticated) }
                let lines = try await customer.cart().lines
                #expect(lines.first { $0.sku == "cap" }?.quantity == 2 * round)
                #expect(lines.first { $0.sku == "scarf" }?.quantity == 3 * round)
                #expect(try await customer.call(Contract.orders).good().items.count == round)
                try await guest.call(Contract.cart).problem(.unauthenticated)
            }
            try await shop.reconcile(["cap": 100, "scarf": 100])
        }
    }

    @Test(arguments: ["tok_ok", "tok_slow"])
    func `A guest's purchase during the sign-in moves to the account with its key`(card: String) async throws {
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            let answers = try await parallel(24) { number in
                let request = SignInRequest(email: "ada\(number)@example.com", password: .password)
                _ = try await shop.customer(request.email)
                let guest = try await shop.guest()
                let key = Caller.key()
                async let paying = patiently { try await guest.buyNow(card: card, key: key) }
                async let signing = patiently { try await guest.call(Contract.signIn, request) }
                let (answer, session) = try await (paying, signing.good())
                let account = shop.caller(session)
                let orders = try await account.call(Contract.orders).good().items
                guard answer.status == 201 else {
                    try answer.problem(.unauthenticated)
                    #expect(orders.isEmpty)
                    return false
                }
                #expect(try orders.map(\.id) == [answer.good().id])
                let again = try await patiently { try await account.buyNow(card: card, key: key) }
                #expect(again.body == answer.body)
                return true
            }
            #expect(try await shop.reconcile(["cap": 100]).count == answers.count { $0 })
        }
    }

    @Test(.enabled(if: TestDatabase.isPostgres))
    func `A purchase that commits after the sign-in started moves to the account too`() async throws {
        try await TestShop.open { shop in
            _ = try await shop.customer()
            let (guest, other) = try await (shop.guest(), shop.guest())
            let (id, otherId) = try (#require(guest.session?.id), #require(other.session?.id))
            let order = try await other.buyNow().good()
            let purchase = HeldTransaction(shop.store) { repositories in
                _ = try repositories.sessions.session(id: id, locking: true)
                try repositories.orders.move(from: otherId, to: id)
            }
            await purchase.waitForStart()
            async let signingIn = guest.call(Contract.signIn, Self.request)
            try await purchase.during { try await eventually { try await shop.waitingSessions() > 0 } }
            try await purchase.commit()
            let account = shop.caller(try await signingIn.good())
            #expect(try await account.call(Contract.orders).good().items.map(\.id) == [order.id])
        }
    }

    @Test(.enabled(if: TestDatabase.isPostgres), arguments: [true, false])
    func `A sign-in and the deletion of the account lock orders before the cart, as settlements do`(isGuest: Bool)
        async throws
    {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            let buyer = isGuest ? try await shop.guest() : customer
            let order = try await buyer.buyNow().good()
            try await buyer.add("cap").good()
            let settlement = HeldTransaction(shop.store) { repositories in
                _ = try repositories.orders.order(id: order.id, locking: true)
            }
            await settlement.waitForStart()
            async let status =
                isGuest
                ? buyer.call(Contract.signIn, Self.request).status
                : buyer.call(Contract.deleteAccount, DeleteAccountRequest(password: .password)).status
            try await settlement.during {
                try await eventually { try await shop.waitingSessions() > 0 }
                let unlockedCarts = try await shop.rows("SELECT 1 FROM carts FOR UPDATE SKIP LOCKED").count
                #expect(unlockedCarts == 1)
            }
            await settlement.rollBack()
            #expect(try await status == (isGuest ? 201 : 204))
        }
    }

    @Test func `A purchase during the deletion of the account keeps personal data for a set time only`() async throws {
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            let sold = try await parallel(16) { number in
                let customer = try await shop.customer("ada\(number)@example.com")
                async let paying = patiently { try await customer.buyNow(email: nil) }
                async let deleting = patiently {
                    try await customer.call(Contract.deleteAccount, DeleteAccountRequest(password: .password))
                }
                let (answer, deletion) = try await (paying, deleting)
                #expect(deletion.status == 204)
                if answer.status != 201 { try answer.problem(.unauthenticated) }
                return answer.status == 201
            }
            let orders = try await shop.reconcile(["cap": 100])
            #expect(orders.count == sold.count { $0 })
            // They are still to be sent. A job looks at each of them until it is anonymous.
            let forgotten = try await shop.rows("SELECT id FROM orders WHERE anonymise_at IS NULL")
            #expect(forgotten.isEmpty)
        }
    }

    @Test(arguments: ["tok_ok", "tok_slow", "tok_declined"])
    func `A guest who signs in while paying has the order or the cart in the account`(card: String) async throws {
        try await TestShop.open([.stocked("cap", stock: 100)]) { shop in
            let statuses = try await parallel(8) { number in
                let request = SignInRequest(email: "ada\(number)@example.com", password: .password)
                _ = try await shop.customer(request.email)
                let guest = try await shop.guest()
                try await guest.add("cap", 2).good()
                try await guest.ship().good()
                let key = Caller.key()
                async let paying = patiently { try await guest.checkout(card, total: 2490, key: key) }
                async let signing = patiently { try await guest.call(Contract.signIn, request) }
                let (answer, session) = try await (paying, signing.good())
                let account = shop.caller(session)
                let orders = try await account.call(Contract.orders).good().items
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
}
