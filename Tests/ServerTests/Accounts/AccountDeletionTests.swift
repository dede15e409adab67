import PouchContract
import PouchEntities
import PouchStorage
import PouchWire
import Testing

@Suite("Deleting an account")
struct AccountDeletionTests {
    @Test func `An account goes with all that identifies the person, and its orders stay`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            let other = try await shop.signIn()
            let order = try await customer.order()
            try await shop.admin().addDiscount(DiscountTerms(code: "SHIP", kind: .freeShipping)).good()
            try await customer.buyNow([LineRequest(sku: "cap", quantity: 1)], discount: "SHIP", total: 1000).good()
            #expect(try await shop.rows("SELECT 1 FROM discount_uses").count == 1)
            try await customer.call(Contract.addAddress, AddressInput(.sample)).good()
            try await customer.add("scarf-s").good()
            try await customer.call(Contract.deleteAccount, DeleteAccountRequest(password: .password)).good()

            for caller in [customer, other] { try await caller.call(Contract.profile).problem(.unauthenticated) }
            try await shop.anyone.call(Contract.signIn, SignInRequest(email: "ada@example.com", password: .password))
                .problem(.invalidCredentials)
            let kept = try #require(
                try await shop.rows(
                    "SELECT email IS NULL, shipping IS NULL, payment_amount FROM orders WHERE id = ?", [.text(order.id)]
                )
                .first)
            #expect(try kept.int(0) == 1 && kept.int(1) == 1)
            #expect(try kept.integer(2) == order.totals.total.amount)
            #expect(try await shop.rows("SELECT 1 FROM accounts WHERE role <> 'admin'").isEmpty)
            for table in ["addresses", "carts", "cart_lines", "idempotency", "discount_uses"] {
                #expect(try await shop.rows("SELECT 1 FROM \(table)").isEmpty, "\(table)")
            }
        }
    }

    @Test func `The address can be signed up again, as another account`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            _ = try await customer.order()
            try await customer.call(Contract.deleteAccount, DeleteAccountRequest(password: .password)).good()
            let again = try await shop.customer()
            #expect(again.session?.profile?.id != customer.session?.profile?.id)
            #expect(try await again.call(Contract.orders).good().items == [])
        }
    }

    @Test func `Nothing goes without the right password`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            try await customer.call(Contract.deleteAccount, DeleteAccountRequest(password: "wrong password"))
                .problem(.invalidCredentials)
            try await customer.call(Contract.profile).good()
        }
    }
}
