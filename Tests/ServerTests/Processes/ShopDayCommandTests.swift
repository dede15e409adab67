import Foundation
import PouchDomain
import PouchEntities
import PouchJSON
import PouchServer
import Testing

extension ShopDayProcessTests {
    @Test func `With commands alone, a product is made, sold, refunded and withdrawn`() async throws {
        let folder = TemporaryFolder.current
        try await open { server, sink, receiver in
            let owner = try PouchUser("owner", at: server, in: folder)
            try await owner.pouch("sign-in", "--email", "owner@example.com", input: "correct horse\n")
            try await owner.pouch("admin", "staff", "invite", "max@example.com", "manager")
            let invitation = try await link(sink, to: "max@example.com", "invited")
            let max = try PouchUser("max", at: server, in: folder)
            let answers = invitation.address + "\ncorrect horse\n"
            try await max.pouch("admin", "staff", "accept", "--name", "Max", input: answers)
            try await max.pouch("sign-in", "--email", "max@example.com", input: "correct horse\n")
            let factor = try await max.enableSecondFactor()
            try await max.pouch("sign-out")
            _ = try await factor.codes.use(after: factor.step) { try await max.signIn("max@example.com", code: $0) }

            let hook = try await max.json(
                SecretWebhook.self, "admin", "webhook", "add", receiver.url, "--type", "order.paid", "--type",
                "order.partiallyRefunded")
            try await receiver.use(hook.secret)
            try await max.pouch(
                "admin", "product", "add", "Felt hat", "--sku", "hat", "--price", "29.00", "--stock", "3")
            try await max.pouch("admin", "product", "publish", "felt-hat")
            let guest = try PouchUser("guest", at: server, in: folder)
            try await eventually { try await guest.pouch("catalog").contains("Felt hat") }

            let order = try await guest.json(
                Order.self, "buy", "hat", "--card", "tok_ok", "--email", "gus@example.com", "--name", "Gus", "--line1",
                "1 High Street", "--city", "Berlin", "--postal-code", "10115", "--country", "Germany")
            let mailed = try await link(sink, to: "gus@example.com", order.number)
            let stranger = try PouchUser("stranger", at: server, in: folder)
            #expect(try await stranger.pouch("order", "--link", mailed.secret).contains(order.number))

            let refunded = try await max.pouch("admin", "refund", order.number, "--amount", "9", "--reason", "a stain")
            #expect(refunded.hasPrefix("9.00 EUR was refunded."))
            try await eventually { try await receiver.found().count == 2 }
            let requests = try await receiver.found()
            #expect(requests.map { $0["type"] } == ["order.paid", "order.partiallyRefunded"])
            #expect(requests.allSatisfy { $0["error"] == nil })

            try await stranger.pouch("cart", "add", "hat")
            try await max.pouch("admin", "product", "withdraw", "felt-hat")
            let refusal = try await stranger.refusal("cart", "add", "hat")
            #expect(refusal.contains("no longer sells this: hat"), "\(refusal)")
            #expect(try await stranger.pouch("cart").contains("is no longer sold and was removed"))

            let audit = try await owner.pouch("admin", "audit", "--all")
            for action in ["addProduct", "refundOrder", "addWebhook", "inviteStaff"] {
                #expect(audit.contains(action), "\(audit)")
            }
            let sales = try await owner.json(SalesReport.self, "admin", "sales")
            #expect(sales.total.orders == 1)
        }
    }
}
