import ServerTesting
import Testing

@Suite("Links in mails", .inMailShop, .timeLimit(.minutes(5)))
struct OrderLinkTests {
    private let shop = TestShop.current

    private func lookUp(_ token: String) async throws -> Answered<Order> {
        try await shop.anyone.call(Contract.orderByLink, OrderLinkRequest(token: token))
    }

    @Test func `A guest finds the order by the link in the mail, without a session`() async throws {
        let order = try await shop.guest().buyNow().good()
        try await eventually { try shop.writtenMails().count == 1 }
        let mail = try #require(try shop.writtenMails().values.first).replacing("=\r\n", with: "")
        let found = try #require(mail.firstMatch(of: #/https://shop\.example\.com/orders#([A-Za-z0-9._-]+)/#))
        #expect(try await lookUp(String(found.1)).good() == order)
        // Neither the queue nor the event holds what opens the order.
        for (table, column) in [("mails", "content"), ("events", "data")] {
            for row in try await shop.rows("SELECT \(column) FROM \(table)") {
                #expect(!(try row.text(0)).contains(found.1))
            }
        }
    }

    @Test func `A customer signs in instead, so the mail has no link`() async throws {
        let order = try await shop.customer().buyNow(email: nil).good()
        // The mail that verifies the address comes, too, before this one or after it.
        let subject = "Subject: Thank you for your order \(order.number)"
        try await eventually { try shop.writtenMails().values.contains { $0.contains(subject) } }
        #expect(try !shop.writtenMails().values.contains { $0.contains("/orders#") })
    }

    @Test func `A token opens what it was made for, until it expires`() async throws {
        let order = try await shop.guest().buyNow().good()
        let other = try await shop.guest().buyNow().good()
        let right = shop.token(to: order.id)
        #expect(try await lookUp(right).good().id == order.id)
        let parts = right.split(separator: ".").map(String.init)
        let wrong = [
            "", ".", "..", right + "A", String(right.dropLast()), right + ".x",
            "\(other.id).\(parts[1]).\(parts[2])", "\(parts[0]).\((Int64(parts[1]) ?? 0) + 1).\(parts[2])",
            "\(parts[0]).+\(parts[1]).\(parts[2])", String(repeating: "a", count: 10_000), shop.token(to: "ord_none"),
        ]
        let others = SignedLink.Purpose.allCases.filter { $0 != .order }.map { shop.token(to: order.id, for: $0) }
        for token in wrong + others { try await lookUp(token).problem(.linkInvalid) }
        shop.clock.advance(by: 59)
        try await lookUp(right).good()
        shop.clock.advance(by: 1)
        try await lookUp(right).problem(.linkExpired)
        // The answer to a forged token does not depend on its expiry.
        try await lookUp(right + "A").problem(.linkInvalid)
    }

    @Test func `A link stays valid after a new key, and ends with its own key`() async throws {
        let order = try await shop.guest().buyNow().good()
        let old = shop.services.keyRing.current
        let first = shop.token(to: order.id)
        _ = try await shop.store.write { [environment = shop.environment] in try $0.keys.rotate(environment) }
        // By another server, which knows the new key already.
        let second = try await KeyRing(shop.environment)
        let new = LinkSigner(keyRing: second, digests: shop.environment.digests)
            .token(for: SignedLink(.order, id: order.id, expiresAt: shop.clock.now + 60))
        #expect(new != first)
        for token in [first, new] { try await lookUp(token).good() }
        try await shop.store.write { try $0.keys.retire(id: old.id) }
        try await shop.services.keyRing.refresh()
        try await lookUp(first).problem(.linkInvalid)
        try await lookUp(new).good()
    }

    @Test func `A link ends when the buyer's data is deleted`() async throws {
        let customer = try await shop.customer()
        let order = try await customer.buyNow(email: nil).good()
        let token = shop.token(to: order.id)
        try await lookUp(token).good()
        try await customer.call(Contract.deleteAccount, DeleteAccountRequest(password: .password)).good()
        // The order is still to be sent.
        try await lookUp(token).good()
        try await shop.store.write { try $0.orders.anonymise(id: order.id) }
        try await lookUp(token).problem(.linkInvalid)
    }
}
