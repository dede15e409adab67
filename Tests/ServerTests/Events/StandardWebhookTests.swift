import Foundation
import HTTPTypes
import PouchContract
import PouchEntities
import PouchJSON
import PouchServer
import PouchStorage
import PouchWire
import Subprocess
import SystemPackage
import Testing

/// A receiver of webhooks that verifies requests with the Python library of Standard Webhooks.
struct VerifyingReceiver: Sendable {
    private let port: Int
    private var receiver: Transport { .tcp(port: port) }
    var url: String { "http://127.0.0.1:\(port)/hook" }

    /// Runs the receiver during the body.
    static func run(_ body: @escaping @Sendable (VerifyingReceiver) async throws -> Void) async throws {
        _ = try await Subprocess.run(
            .path(PeerProgram.python), arguments: [PeerProgram.path("Webhooks/receiver.py")],
            input: .none, output: .sequence, error: .string(limit: 1 << 16)
        ) { execution in
            var lines = execution.standardOutput.strings().makeAsyncIterator()
            let first = try await lines.next() ?? ""
            let port = try #require(Int(first.trimmingCharacters(in: .whitespacesAndNewlines)), "\(first)")
            do { try await body(VerifyingReceiver(port: port)) } catch { Issue.record(error) }
            try? execution.send(signal: .terminate)
        }
    }

    /// Verifies later requests with this secret.
    func use(_ secret: String) async throws {
        _ = try await receiver(.post, "/secret", HTTPFields(), Data(secret.utf8))
    }

    /// The requests so far: the `type` of each, the `error` of the library, and its opinion of a `forged` body, which is
    /// null when it refuses one.
    func found() async throws -> [JSON] {
        try JSON(json: try await receiver(.get, "/found", HTTPFields(), nil).body).array ?? []
    }
}

@Suite("Standard Webhooks", .timeLimit(.minutes(5)))
struct StandardWebhookTests {
    @Test func `The library verifies each request, also after a rotation, and refuses a changed body`() async throws {
        try await VerifyingReceiver.run { receiver in
            try await TestShop.openSending { shop in
                // The library compares the time of a request with its own. In whole seconds: a time that is stored has no
                // fractions of a millisecond, and may be later than a clock that has them.
                shop.clock.advance(by: Date.now.timeIntervalSince(shop.clock.now).rounded())
                let (admin, customer) = (try await shop.admin(), try await shop.customer())
                let types: [EventType] = [.orderPaid, .orderFulfilled]
                let hook = try await admin.addWebhook(receiver.url, types).good()
                try await receiver.use(hook.secret)
                let order = try await customer.order()
                try await eventually { try await receiver.found().count == 1 }
                let rotated = try await admin.call(
                    Contract.rotateWebhookSecret, path: ["id": hook.webhook.id]
                ).good()
                // The receiver still has the secret from before.
                try await admin.fulfil(order.id).good()
                try await eventually { try await receiver.found().count == 2 }
                try await receiver.use(rotated.secret)
                _ = try await customer.buyNow().good()
                try await eventually { try await receiver.found().count == 3 }
                let expected = ["order.paid", "order.fulfilled", "order.paid"]
                #expect(try await receiver.found().map { $0["type"]?.string } == expected)
                #expect(try await receiver.found().allSatisfy { $0["error"] == nil && $0["forged"] == .null })
                try await receiver.use("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
                _ = try await customer.buyNow().good()
                try await eventually { try await receiver.found().count == 4 }
                #expect(try await receiver.found().last?["error"] == "No matching signature found")
            }
        }
    }
}
