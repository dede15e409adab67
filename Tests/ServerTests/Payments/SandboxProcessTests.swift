import Foundation
import PouchContract
import PouchEntities
import PouchSandbox
import PouchWire
import Subprocess
import Testing

@Suite("The sandbox payment provider as a process", .timeLimit(.minutes(5)))
struct SandboxProcessTests {
    @Test func `Killed between booking and answer, it returns the charge after a restart`() async throws {
        try await TemporaryFolder.use { folder in
            let ledger = folder.appending(path: "ledger.sqlite").path
            let killed = try await ServerProgram.serveSandbox("--port", "0", "--ledger", ledger, signal: .kill) {
                sandbox in
                let caller = sandbox.anyone
                let charge = Task { try await caller.charge("k", token: "tok_lost") }
                try await eventually { try await caller.charges().items.map(\.key) == ["k"] }
                try sandbox.end()
                await #expect(throws: (any Error).self) { try await charge.value }
            }
            #expect(killed.status == .signaled(9))
            let again = try await ServerProgram.serveSandbox("--port", "0", "--ledger", ledger) { sandbox in
                let caller = sandbox.anyone
                let booked = try await caller.charge(booked: "k")
                #expect(booked.status == .captured && booked.captured == 1_000)
                let repeated: SandboxCharge = try await caller.charge("k", token: "tok_lost").sandbox()
                #expect(repeated == booked)
                #expect(try await caller.charges().items == [booked])
            }
            #expect(again.status == .exited(0), "\(again.errors)")
        }
    }

    @Test func `A shop with its key is paid there, and a shop with another key is not`() async throws {
        try await TemporaryFolder.use { folder in
            let database = try await ShopFolder.stocked(folder)
            let keys = try ["right", "wrong"].map { name in
                let file = folder.appending(path: name)
                try Data("\(name)-secret\n".utf8).write(to: file)
                return file.path
            }
            let ledger = folder.appending(path: "elsewhere.sqlite").path
            _ = try await ServerProgram.serveSandbox("--port", "0", "--ledger", ledger, "--key-file", keys[0]) {
                sandbox in
                let url = "http://127.0.0.1:\(sandbox.port)"
                for (key, isPaid) in [(keys[0], true), (keys[1], false)] {
                    let outcome = try await ServerProgram.serve(
                        "--port", "0", "--database", database, "--payments", url, "--payments-key-file", key
                    ) { shop in
                        let answer = try await shop.guest().buyNow()
                        if isPaid {
                            #expect(try answer.good().status == .paid)
                        } else {
                            try answer.problem(.paymentProviderError)
                        }
                    }
                    #expect(outcome.status == .exited(0))
                    #expect(!outcome.errors.contains("-secret"))
                }
                _ = try await ServerProgram.serve(
                    "--port", "0", "--database", database, "--payments", url,
                    environment: ["POUCH_PAYMENTS_KEY": "right-secret"]
                ) { shop in
                    let order = try await shop.guest().buyNow().good()
                    #expect(order.status == .paid)
                }
            }
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "sandbox-payments.sqlite").path))
        }
    }

    @Test func `A signal under load loses no payment under way`() async throws {
        try await TemporaryFolder.use { folder in
            let database = try await ShopFolder.stocked(folder)
            let outcome = try await ServerProgram.serve("--port", "0", "--database", database) { server in
                let guest = try await server.guest()
                async let orders = parallel(8) { _ in try await guest.buyNow("cap", card: "tok_slow").good() }
                try await eventually {
                    try await server.anyone.call(Contract.availability, query: "sku=cap").good().items.first?.available
                        == 2
                }
                try server.end()
                #expect(try await orders.map(\.status) == Array(repeating: .paid, count: 8))
            }
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
        }
    }
}
