import Foundation
import PouchContract
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchStorage
import PouchWire
import ServerTesting
import Subprocess
import Testing

@testable import PouchDomain
@testable import PouchServer

/// A merchant's day from an empty shop on, against the program, with a mail server and a receiver of webhooks that are
/// not ours.
@Suite("A day in the shop", .timeLimit(.minutes(10)), .inFolder)
struct ShopDayProcessTests {
    private static let price: Int64 = 2900

    /// The link of a mail, whose secret follows the `#`.
    struct MailedLink {
        let address: String
        let secret: String
    }

    /// Runs an empty shop with an owner, whose mails and webhooks arrive during the body.
    func open(
        _ body: @escaping @Sendable (ServerProgram.Serving, MailSink, VerifyingReceiver) async throws -> Void
    ) async throws {
        let database = try await TestDatabase(in: TemporaryFolder.current, isFresh: true).text
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

    /// The link in the latest mail to an address whose subject has the words.
    func link(_ sink: MailSink, to address: String, _ words: String) async throws -> MailedLink {
        func latest() throws -> MailSink.Mail? {
            try sink.mails.last { $0.recipients == [address] && $0.header("Subject")?.contains(words) == true }
        }
        try await eventually { try latest() != nil }
        let mail = try #require(try latest())
        let found = try #require(mail.text.firstMatch(of: #/https://shop\.example\.com/\S+#(\S+)/#))
        return MailedLink(address: String(found.0), secret: String(found.1))
    }

    /// Accepts an invitation, sets up a second factor, and signs in with it.
    private func join(_ server: ServerProgram.Serving, _ email: String, with token: String) async throws -> Caller {
        try await server.anyone.call(
            Contract.acceptInvitation, AcceptInvitationRequest(token: token, password: .password, name: "Max")
        ).good()
        let first = try await server.signIn(email)
        let secret = try await first.call(Contract.beginSecondFactor).good()
        let codes = try OneTimePassword(shown: secret.secret)
        let (_, step) = try await codes.use { code in
            try await first.call(Contract.enableSecondFactor, CodeRequest(code: code)).goodUnlessCodeIsWrong()
        }
        try await server.anyone.signIn(email).problem(.secondFactorRequired)
        let (session, _) = try await codes.use(after: step) { code in
            let signIn = SignInRequest(email: email, password: .password, code: code)
            return try await server.anyone.call(Contract.signIn, signIn).goodUnlessCodeIsWrong()
        }
        return server.caller(session)
    }

    @Test func `A product is made and sold, mails and webhooks arrive, and the manager refunds and withdraws`()
        async throws
    {
        try await open { server, sink, receiver in
            let owner = try await server.signIn("owner@example.com")
            try await owner.invite("max@example.com", as: .manager).good()
            let invitation = try await link(sink, to: "max@example.com", "invited").secret
            let manager = try await join(server, "max@example.com", with: invitation)

            // A product from nothing to the shop window.
            let currency = try await manager.call(Contract.shop).good().currency
            let hat = VariantTerms(sku: "hat", price: Money(Self.price, currency), stock: 3)
            let draft = try await manager.addProduct(ProductTerms(name: "Felt hat", variants: [hat])).good()
            try await server.anyone.call(Contract.product, path: ["handle": "felt-hat"]).problem(.notFound)
            let types = [EventType.orderPaid, .orderPartiallyRefunded, .productPublished]
            let hook = try await owner.addWebhook(receiver.url, types).good()
            try await receiver.use(hook.secret)
            try await manager.change(product: draft.id, ifMatch: draft.version) { $0.status = .published }.good()
            try await eventually {
                try await server.anyone.call(Contract.product, path: ["handle": "felt-hat"]).status == 200
            }

            // A guest buys it, and finds the order again by the mail.
            let guest = try await server.guest()
            let order = try await guest.buyNow("hat", total: Self.price + 490, email: "gus@example.com").good()
            let secret = try await link(sink, to: "gus@example.com", order.number).secret
            let found = try await server.anyone.call(Contract.orderByLink, OrderLinkRequest(token: secret)).good()
            #expect(found.id == order.id && found.status == .paid)

            // It is sent, and the buyer's mail has the number of the parcel.
            try await manager.fulfil(order.id, tracking: Tracking(carrier: "DHL", number: "00340434")).good()
            try await eventually {
                try sink.mails.contains {
                    $0.header("Subject")?.contains("on its way") == true && $0.text.contains("DHL")
                        && $0.text.contains("00340434") && $0.html.contains("00340434")
                }
            }

            // The manager refunds a part.
            try await manager.refund(order.id, amount: 900).good()
            // Only events of the same object arrive in their order.
            try await eventually {
                let types = try await receiver.found().compactMap { $0["type"]?.string }
                return types.contains("order.partiallyRefunded") && types.contains("product.published")
            }
            let requests = try await receiver.found()
            #expect(requests.allSatisfy { $0["error"] == nil })
            let ofOrder = requests.compactMap { $0["type"]?.string }.filter { $0.hasPrefix("order.") }
            #expect(ofOrder == ["order.paid", "order.partiallyRefunded"])
            try await eventually {
                try sink.mails.contains {
                    $0.recipients == ["gus@example.com"] && $0.header("Subject")?.contains("refund") == true
                }
            }

            // Another guest has the last hats in the cart when they are taken off sale.
            let late = try await server.guest()
            try await late.add("hat", 2).good()
            try await late.ship().good()
            try await manager.change(product: draft.id) { $0.status = .withdrawn }.good()
            let refusal = try await late.checkout(total: 2 * Self.price + 490).problem(.notForSale)
            #expect(refusal.lines == [StockShortfall(sku: "hat", available: 0)])
            #expect(try await late.cart().changes == [.quantity(sku: "hat", .removed, from: 2, to: 0)])
            #expect(try await guest.order(id: order.id).lines.map(\.sku) == ["hat"])

            // The audit log says who did what, and contains no secret.
            let entries = try await owner.call(Contract.auditLog).good().items
            let byManager = entries.filter { $0.actor == manager.session?.profile?.id }.map(\.action)
            let expected = ["updateProduct", "refundOrder", "updateProduct", "addProduct"]
            #expect(byManager.filter(expected.contains) == expected, "\(byManager)")
            let document = try await owner.call(Contract.auditLog).text
            for secret in [hook.secret, invitation, .password] { #expect(!document.contains(secret)) }
        }
    }
}

extension OneTimePassword {
    /// The codes of a secret as an app reads it.
    init(shown secret: String) throws {
        let bytes = try #require(ByteAlphabet.base32Capital.bytes(secret.utf8))
        self.init(secret: Data(bytes), digests: CryptoDigests())
    }

    /// Sends codes until one is accepted: on a busy machine one may be too old when it arrives.
    ///
    /// - Parameters:
    ///   - last: the step of the last code that was accepted. Each counts once, so the next is of a later step.
    ///   - send: returns nil if the code is refused.
    /// - Returns: the outcome, and the step of the accepted code.
    func use<Value: Sendable>(
        after last: Int64 = 0, sourceLocation: SourceLocation = #_sourceLocation,
        _ send: (String) async throws -> Value?
    ) async throws -> (outcome: Value, step: Int64) {
        for _ in 0..<5 {
            let step = max(Self.step(at: .now), last + 1)
            if let outcome = try await send(code(step: step)) { return (outcome, step) }
        }
        Issue.record("No code is accepted.", sourceLocation: sourceLocation)
        throw DeadlinePassed()
    }
}

extension Answered where Value: JSONCodable {
    /// The value of a successful response; nil if a one-time password was refused.
    fileprivate func goodUnlessCodeIsWrong(_ sourceLocation: SourceLocation = #_sourceLocation) throws -> Value? {
        guard status == ProblemCode.secondFactorInvalid.status else { return try good(sourceLocation) }
        try problem(.secondFactorInvalid, sourceLocation)
        return nil
    }
}
