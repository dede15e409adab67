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

/// The Python library of Standard Webhooks, which Tests/Webhooks/requirements.txt names, verifies what the shop sends.
@Suite("Standard Webhooks", .timeLimit(.minutes(2)))
struct StandardWebhookTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Runs the receiver during the body, which gets its port.
    private func receiving(_ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        let python = Self.tests.appending(path: ".build-webhooks/bin/python").path
        try #require(
            FileManager.default.isExecutableFile(atPath: python),
            "The library is missing. `make tests` installs it.")
        let result = try await Subprocess.run(
            .path(FilePath(python)), arguments: [Self.tests.appending(path: "Webhooks/receiver.py").path],
            input: .none, output: .sequence, error: .string(limit: 1 << 16)
        ) { execution in
            var lines = execution.standardOutput.strings().makeAsyncIterator()
            let first = try await lines.next() ?? ""
            let port = try #require(Int(first.trimmingCharacters(in: .whitespacesAndNewlines)), "\(first)")
            do { try await body(port) } catch {
                Issue.record(error)
            }
            try? execution.send(signal: .terminate)
        }
        _ = result
    }

    @Test func `The library verifies each request, also after a rotation, and refuses a changed body`() async throws {
        try await receiving { port in
            let receiver = Transport.tcp(port: port)
            @Sendable func use(_ secret: String) async throws {
                _ = try await receiver(.post, "/secret", HTTPFields(), Data(secret.utf8))
            }
            @Sendable func found() async throws -> [JSON] {
                try JSON(json: try await receiver(.get, "/found", HTTPFields(), nil).body).array ?? []
            }
            try await TestShop.openSending { shop in
                let (admin, customer) = (try await shop.admin(), try await shop.customer())
                let types: [EventType] = [.orderPaid, .orderFulfilled]
                let hook = try await admin.addWebhook("http://127.0.0.1:\(port)/hook", types).good()
                try await use(hook.secret)
                let order = try await customer.order()
                try await eventually { try await found().count == 1 }
                let rotated = try await admin.call(
                    Contract.rotateWebhookSecret, path: ["id": hook.webhook.id]
                ).good()
                // The receiver still has the secret from before.
                try await admin.fulfil(order.id).good()
                try await eventually { try await found().count == 2 }
                try await use(rotated.secret)
                _ = try await customer.buyNow().good()
                try await eventually { try await found().count == 3 }
                let expected = ["order.paid", "order.fulfilled", "order.paid"]
                #expect(try await found().map { $0["type"]?.string } == expected)
                #expect(try await found().allSatisfy { $0["error"] == nil && $0["forged"] == .null })
                try await use("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
                _ = try await customer.buyNow().good()
                try await eventually { try await found().count == 4 }
                #expect(try await found().last?["error"] == "No matching signature found")
            }
        }
    }
}
