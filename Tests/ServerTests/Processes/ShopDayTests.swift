import ServerTesting
import Subprocess
import Testing

@testable import PouchDomain
@testable import PouchServer

/// A merchant's day from an empty shop on, against the program, with a mail server and a receiver of webhooks that are
/// not ours.
@Suite("A day in the shop", .timeLimit(.minutes(10)), .inFolder)
struct ShopDayProcessTests {
    private let folder = TemporaryFolder.current

    /// The link of a mail, whose secret follows the `#`.
    private struct MailedLink {
        let address: String
        let secret: String
    }

    /// Runs an empty shop with an owner, whose mails and webhooks arrive during the body.
    private func open(
        _ body: @escaping @Sendable (ServerProgram.Serving, MailSink, VerifyingReceiver) async throws -> Void
    ) async throws {
        let database = try await TestDatabase(in: folder, isFresh: true).text
        try await ServerProgram.run(
            "admin", "create", "--create", "--email", "owner@example.com", "--database", database,
            input: .password + "\n"
        ).good()
        try await VerifyingReceiver.run { receiver in
            try await MailSink.run { sink in
                let outcome = try await ServerProgram.serve(
                    on: database, "--allow-private-webhooks", "--mail", "smtp://127.0.0.1:\(sink.port)", "--mail-from",
                    "The Burrow <shop@example.com>", "--public-url", "https://shop.example.com"
                ) { server in try await body(server, sink, receiver) }
                // Buyers' addresses and the secrets of links belong to the mails alone.
                for text in ["gus@", "#"] { #expect(!outcome.errors.contains(text), "\(outcome.errors)") }
            }
        }
    }

    /// The latest mail to an address whose subject has the words.
    private func mail(_ sink: MailSink, to address: String, _ words: String) async throws -> MailSink.Mail {
        func latest() throws -> MailSink.Mail? {
            try sink.mails.last { $0.recipients == [address] && $0.header("Subject")?.contains(words) == true }
        }
        try await eventually { try latest() != nil }
        return try #require(try latest())
    }

    /// The link in this mail.
    private func link(_ sink: MailSink, to address: String, _ words: String) async throws -> MailedLink {
        let mail = try await mail(sink, to: address, words)
        let found = try #require(mail.text.firstMatch(of: #/https://shop\.example\.com/\S+#(\S+)/#))
        return MailedLink(address: String(found.0), secret: String(found.1))
    }

    @Test func `With commands alone, a product is made, sold, sent, refunded and withdrawn`() async throws {
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
            try await max.signIn("max@example.com", with: factor)

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

            try await max.pouch("admin", "fulfil", order.number, "--carrier", "DHL", "--tracking", "00340434")
            let refunded = try await max.pouch("admin", "refund", order.number, "--amount", "9", "--reason", "a stain")
            #expect(refunded.hasPrefix("9.00 EUR was refunded."))
            let requests = try await receiver.found(2)
            #expect(requests.map { $0["type"] } == ["order.paid", "order.partiallyRefunded"])
            #expect(requests.allSatisfy { $0["error"] == nil })
            let sent = try await mail(sink, to: "gus@example.com", "on its way")
            for text in ["DHL", "00340434"] { #expect(sent.text.contains(text) && sent.html.contains(text)) }
            _ = try await mail(sink, to: "gus@example.com", "refund")

            try await stranger.pouch("cart", "add", "hat")
            try await max.pouch("admin", "product", "withdraw", "felt-hat")
            let refusal = try await stranger.refusal("cart", "add", "hat")
            #expect(refusal.contains("no longer sells this: hat"), "\(refusal)")
            #expect(try await stranger.pouch("cart").contains("is no longer sold and was removed"))

            let audit = try await owner.pouch("admin", "audit", "--all", "--json")
            for action in ["addProduct", "refundOrder", "addWebhook", "inviteStaff"] {
                #expect(audit.contains(action), "\(audit)")
            }
            for secret in [hook.secret, invitation.secret, .password] { #expect(!audit.contains(secret)) }
            #expect(try await owner.json(SalesReport.self, "admin", "sales").total.orders == 1)
        }
    }
}

extension OneTimePassword {
    /// The codes of a secret as an app reads it.
    init(shown secret: String) throws {
        self.init(secret: Data(try #require(ByteAlphabet.base32Capital.bytes(secret.utf8))), digests: CryptoDigests())
    }
}
