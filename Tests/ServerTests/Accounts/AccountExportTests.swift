import ServerTesting
import Testing

@Suite("The export of an account", .inShop())
struct AccountExportTests {
    private let shop = TestShop.current

    @Test func `The export has all that the other endpoints show, and no secret`() async throws {
        let customer = try await shop.customer()
        let address = try await customer.addAddress().good()
        let order = try await customer.order()
        let ride = try await customer.requestRide().good()
        // The latest session is the first of the list.
        shop.clock.advance(by: 1)
        _ = try await shop.signIn()
        _ = try await shop.customer("bob@example.com").order()
        let answer = try await customer.call(Contract.exportAccount)
        let export = try answer.good()
        #expect(export.exportedAt == shop.clock.now)
        #expect(try await customer.profile().good() == export.profile)
        #expect(export.addresses == [address])
        #expect(export.orders.map(\.id) == [order.id] && export.orders.first?.shipping?.address == .sample)
        #expect(export.rides.map(\.id) == [ride.id])
        #expect(try await customer.call(Contract.accountSessions).good().items == export.sessions)
        #expect(export.sessions.map(\.isCurrent) == [false, true])
        #expect(export.mails.contains { $0.kind == "emailVerification" && $0.recipient == "ada@example.com" })
        let hash = try #require(try await shop.rows("SELECT password_hash FROM accounts").first).text(0)
        for secret in ["bob@example.com", hash] { #expect(!answer.text.contains(secret)) }
        // The document is written in pieces; as a whole it is what the model writes.
        #expect(try export.json() == answer.body)
    }

    @Test func `An account without anything has empty lists`() async throws {
        try await shop.create()
        let export = try await shop.signIn().call(Contract.exportAccount).good()
        #expect(export.addresses.isEmpty && export.orders.isEmpty && export.rides.isEmpty && export.mails.isEmpty)
        #expect(export.sessions.count == 1)
    }

    @Test(.timeLimit(.minutes(5))) func `Lists that are longer than a page are complete`() async throws {
        let customer = try await shop.customer()
        let owner = try customer.accountId
        for index in 0..<250 {
            try await shop.environment.store.write { repositories in
                let recipient = MailRecipient("a\(index)@example.com", of: nil, ownerId: owner)
                try shop.environment.mails.queue(.orderPaid, to: recipient, MailContent(), in: repositories)
            }
        }
        let export = try await customer.call(Contract.exportAccount).good()
        let recipients = export.mails.filter { $0.kind == "orderPaid" }.map(\.recipient)
        #expect(recipients.count == 250 && Set(recipients).count == 250)
    }
}

@Suite("The events of customers", .inShop([]))
struct CustomerEventTests {
    private let shop = TestShop.current

    @Test func `Creating, changing and deleting an account each append an event`() async throws {
        let customer = try await shop.customer()
        let id = try customer.accountId
        shop.clock.advance(by: 1)
        try await customer.call(Contract.updateProfile, ProfilePatch(name: "Bea")).good()
        shop.clock.advance(by: 1)
        // Nothing changes.
        try await customer.call(Contract.updateProfile, ProfilePatch(name: "Bea")).good()
        try await customer.call(Contract.updateProfile, ProfilePatch(name: "")).problem(.validationFailed)
        try await customer.deleteAccount().good()
        #expect(try await shop.eventTypes(of: id) == ["customer.created", "customer.deleted", "customer.updated"])
        let data = try await shop.rows("SELECT data FROM events WHERE object_id = ? ORDER BY created_at", [.text(id)])
            .map { try EventData(json: Data($0.text(0).utf8)) }
        #expect(data.map(\.customer?.name) == ["Ada", "Bea", nil])
    }

    @Test func `Members of the staff are no customers`() async throws {
        let profile = try await shop.create("joan@example.com", .admin)
        #expect(try await shop.eventTypes(of: profile.id).isEmpty)
    }

    @Test func `A refused sign-up appends no event`() async throws {
        _ = try await shop.customer()
        try await shop.anyone.signUp().problem(.emailTaken)
        #expect(try await shop.rows("SELECT 1 FROM events WHERE type = 'customer.created'").count == 1)
    }
}
