import Foundation
import PouchDomain
import PouchEntities
import PouchJSON
import PouchServer
import Subprocess
import SystemPackage
import Testing

/// A user of `pouch` with a session of their own.
private struct PouchUser: Sendable {
    let server: ServerProgram.Serving
    let folder: URL

    init(_ name: String, at server: ServerProgram.Serving, in folder: URL) throws {
        self.server = server
        self.folder = folder.appending(path: name)
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    }

    private var program: FilePath { ServerProgram.path.removingLastComponent().appending("pouch") }

    private var settings: [String: String] {
        ["POUCH_SERVER": "http://127.0.0.1:\(server.port)", "XDG_STATE_HOME": folder.path]
    }

    /// - Returns: the output of a command that succeeds.
    @discardableResult
    func pouch(_ arguments: String..., input: String = "") async throws -> String {
        let outcome = try await ServerProgram.run(
            arguments, input: input, environment: settings, program: program)
        try #require(outcome.status == .exited(0), "\(arguments): \(outcome.errors)")
        return outcome.output
    }

    /// - Returns: the message of a command that the shop refuses.
    func refusal(_ arguments: String...) async throws -> String {
        let outcome = try await ServerProgram.run(arguments, environment: settings, program: program)
        #expect(outcome.status == .exited(3), "\(outcome.output) \(outcome.errors)")
        return outcome.errors
    }

    func json<Value: JSONCodable>(_ type: Value.Type, _ arguments: String...) async throws -> Value {
        let outcome = try await ServerProgram.run(arguments + ["--json"], environment: settings, program: program)
        try #require(outcome.status == .exited(0), "\(arguments): \(outcome.errors)")
        return try Value(json: Data(outcome.output.utf8))
    }

    /// Sets up a second factor as an app does: it reads the secret, and answers with its code.
    ///
    /// - Returns: the codes of the secret.
    func enableSecondFactor() async throws -> OneTimePassword {
        let environment = Environment.inherit.updating(
            Dictionary(uniqueKeysWithValues: settings.map { (Environment.Key(stringLiteral: $0.key), $0.value) }))
        let result = try await Subprocess.run(
            .path(program), arguments: ["second-factor", "enable"], environment: environment, input: .inputWriter,
            output: .string(limit: 1 << 16), error: .sequence
        ) { execution in
            var shown: OneTimePassword?
            // To the end, since the program writes on after the secret.
            for try await line in execution.standardError.strings() {
                guard let found = line.firstMatch(of: #/^[A-Z2-7]{32}$/#) else { continue }
                let codes = try OneTimePassword(shown: String(found.output))
                let code = codes.code(step: OneTimePassword.step(at: .now))
                _ = try await execution.standardInputWriter.write(code + "\n")
                try await execution.standardInputWriter.finish()
                shown = codes
            }
            return try #require(shown)
        }
        try #require(result.terminationStatus == .exited(0))
        #expect(result.standardOutput.contains("recovery codes"))
        return result.closureResult
    }
}

extension ShopDayProcessTests {
    @Test func `With commands alone, a product is made, sold, refunded and withdrawn`() async throws {
        try await open { folder, server, sink, receiver in
            let owner = try PouchUser("owner", at: server, in: folder)
            try await owner.pouch("sign-in", "--email", "owner@example.com", input: "correct horse\n")
            try await owner.pouch("admin", "staff", "invite", "max@example.com", "manager")
            let invitation = try await link(sink, to: "max@example.com", "invited")
            let max = try PouchUser("max", at: server, in: folder)
            try await max.pouch(
                "admin", "staff", "accept", invitation.secret, "--name", "Max", input: "correct horse\n")
            try await max.pouch("sign-in", "--email", "max@example.com", input: "correct horse\n")
            let codes = try await max.enableSecondFactor()
            try await max.pouch("sign-out")
            let code = codes.code(step: OneTimePassword.step(at: .now) + 1)
            try await max.pouch("sign-in", "--email", "max@example.com", input: "correct horse\n\(code)\n")

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
            #expect(try await stranger.pouch("order", "--link", mailed.address).contains(order.number))

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
