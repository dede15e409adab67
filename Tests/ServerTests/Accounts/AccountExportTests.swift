import ServerTesting
import Testing

@Suite("The export of an account, and the events of customers", .inShop())
struct AccountExportTests {
    private let shop = TestShop.current

    @Test func `The export has all that the other endpoints show, and no secret`() async throws {
        let customer = try await shop.customer()
        let address = try await customer.addAddress().good()
        let order = try await customer.order()
        let ride = try await customer.requestRide().good()
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
        try await shop.store.write { repositories in
            for index in 0..<250 {
                let recipient = MailRecipient("a\(index)@example.com", of: nil, ownerId: owner)
                try shop.environment.mails.queue(.orderPaid, to: recipient, MailContent(), in: repositories)
            }
        }
        let export = try await customer.call(Contract.exportAccount).good()
        let recipients = export.mails.filter { $0.kind == "orderPaid" }.map(\.recipient)
        #expect(recipients.count == 250 && Set(recipients).count == 250)
    }

    // MARK: Events

    @Test func `Only creating, changing and deleting the account of a customer append an event each`() async throws {
        try await shop.create("joan@example.com", .admin)
        let customer = try await shop.customer()
        try await shop.anyone.signUp().problem(.emailTaken)
        // The second time nothing changes.
        for _ in 1...2 { try await customer.call(Contract.updateProfile, ProfilePatch(name: "Bea")).good() }
        try await customer.call(Contract.updateProfile, ProfilePatch(name: "")).problem(.validationFailed)
        try await customer.deleteAccount().good()
        let events = try await shop.events().filter { $0.event.objectId.hasPrefix("acc_") }
        #expect(events.map(\.type) == [.customerCreated, .customerUpdated, .customerDeleted])
        #expect(try events.map { try $0.shopEvent.data.customer?.name } == ["Ada", "Bea", nil])
    }
}
