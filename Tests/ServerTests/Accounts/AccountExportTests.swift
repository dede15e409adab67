import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchStorage
import PouchWire
import Testing

@Suite("The export of an account")
struct AccountExportTests {
    @Test func `The export has all that the other endpoints show, and no secret`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            let address = try await customer.call(Contract.addAddress, AddressInput(.sample)).good()
            let order = try await customer.order()
            let ride = try await customer.requestRide().good()
            // The latest session is the first of the list.
            shop.clock.advance(by: 1)
            _ = try await shop.signIn()
            _ = try await shop.customer("bob@example.com").order()

            let answer = try await customer.call(Contract.exportAccount)
            let export = try answer.good()
            #expect(export.exportedAt == shop.clock.now)
            #expect(try await customer.call(Contract.profile).good() == export.profile)
            #expect(export.addresses == [address])
            #expect(export.orders.map(\.id) == [order.id])
            #expect(export.orders.first?.shipping?.address == .sample)
            #expect(export.rides.map(\.id) == [ride.id])
            #expect(try await customer.call(Contract.accountSessions).good().items == export.sessions)
            #expect(export.sessions.map(\.isCurrent) == [false, true])
            #expect(export.mails.contains { $0.kind == "emailVerification" && $0.recipient == "ada@example.com" })
            #expect(!answer.text.contains("bob@example.com"))
            let hash = try #require(try await shop.rows("SELECT password_hash FROM accounts").first).text(0)
            #expect(!answer.text.contains(hash))
            // The document is written in pieces; as a whole it is what the model writes.
            #expect(try export.json() == answer.body)
        }
    }

    @Test func `An account without anything has empty lists`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.services.accounts.create(
                name: "Ada", email: "ada@example.com", password: .password, role: .customer)
            let export = try await shop.signIn().call(Contract.exportAccount).good()
            #expect(export.addresses.isEmpty && export.orders.isEmpty && export.rides.isEmpty && export.mails.isEmpty)
            #expect(export.sessions.count == 1)
        }
    }

    @Test(.timeLimit(.minutes(5))) func `Lists that are longer than a page are complete`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let owner = try #require(customer.session?.profile?.id)
            for index in 0..<250 {
                try await shop.environment.store.write { repositories in
                    try shop.environment.mails.queue(
                        .orderPaid, to: MailRecipient("a\(index)@example.com", of: nil, ownerId: owner), MailContent(),
                        in: repositories)
                }
            }
            let export = try await customer.call(Contract.exportAccount).good()
            let recipients = export.mails.filter { $0.kind == "orderPaid" }.map(\.recipient)
            #expect(recipients.count == 250 && Set(recipients).count == 250)
        }
    }

    @Test func `Guests and ended sessions get no export`() async throws {
        try await TestShop.open([]) { shop in
            try await shop.guest().call(Contract.exportAccount).problem(.forbidden)
            let customer = try await shop.customer()
            try await customer.call(Contract.signOut).good()
            try await customer.call(Contract.exportAccount).problem(.unauthenticated)
        }
    }
}

@Suite("The events of customers")
struct CustomerEventTests {
    @Test func `Creating, changing and deleting an account each append an event`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let id = try #require(customer.session?.profile?.id)
            shop.clock.advance(by: 1)
            try await customer.call(Contract.updateProfile, ProfilePatch(name: "Bea")).good()
            shop.clock.advance(by: 1)
            // Nothing changes.
            try await customer.call(Contract.updateProfile, ProfilePatch(name: "Bea")).good()
            try await customer.call(Contract.updateProfile, ProfilePatch(name: "")).problem(.validationFailed)
            try await customer.call(Contract.deleteAccount, DeleteAccountRequest(password: .password)).good()
            #expect(
                try await shop.eventTypes(of: id) == ["customer.created", "customer.deleted", "customer.updated"])
            let data = try await shop.rows(
                "SELECT data FROM events WHERE object_id = ? ORDER BY created_at", [.text(id)]
            ).map { try EventData(json: Data($0.text(0).utf8)) }
            #expect(data.map(\.customer?.name) == ["Ada", "Bea", nil])
        }
    }

    @Test func `Members of the staff are no customers`() async throws {
        try await TestShop.open([]) { shop in
            let profile = try await shop.services.accounts.create(
                name: "Joan", email: "joan@example.com", password: .password, role: .admin)
            #expect(try await shop.eventTypes(of: profile.id).isEmpty)
        }
    }

    @Test func `A refused sign-up appends no event`() async throws {
        try await TestShop.open([]) { shop in
            _ = try await shop.customer()
            try await shop.anyone.call(Contract.signUp, .sample()).problem(.emailTaken)
            #expect(try await shop.rows("SELECT 1 FROM events WHERE type = 'customer.created'").count == 1)
        }
    }
}
