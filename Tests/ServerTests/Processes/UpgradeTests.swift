import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchServer
import PouchStorage
import PouchWire
import ServerTesting
import Subprocess
import SystemPackage
import Testing

/// A new release is rolled out while servers of the previous one still run on the same database. `make test-upgrade`
/// builds the program of the previous release.
@Suite(
    "Servers of two releases on one database", .enabled(if: PreviousRelease.program != nil), .timeLimit(.minutes(10)),
    .inFolder)
struct UpgradeProcessTests {
    private let folder = TemporaryFolder.current
    private let database: String

    init() async throws { database = try await TestDatabase(in: folder, isFresh: true).text }

    /// Serves a database that the previous release made, with both.
    private func serve(
        _ body: @escaping @Sendable (_ old: ServerProgram.Serving, _ new: ServerProgram.Serving) async throws -> Void
    ) async throws {
        let previous = try #require(PreviousRelease.program)
        let feed = try ShopFolder.csv(folder, "caps", products: [("cap", 40), ("hat", 5)])
        for arguments in [
            ["import", "--format", "shopify-csv", "--database", database, feed],
            ["admin", "create", "--database", database, "--email", "root@example.com", "--name", "Root"],
        ] {
            let passwords = String(repeating: String.password + "\n", count: 2)
            try await ServerProgram.run(arguments, input: passwords, program: previous).good()
        }
        try await ServerProgram.serve(["--port", "0", "--database", database], program: previous) { old in
            try await ServerProgram.serve(on: database) { new in try await body(old, new) }
        }.good()
    }

    @Test func `Carts, sessions, keys, orders and refunds go on at the other release`() async throws {
        try await serve { old, new in
            for (one, other) in [(old, new), (new, old)] {
                let email = one.port == old.port ? "ada@example.com" : "bob@example.com"
                let here = try await one.customer(email)
                let there = other.caller(try #require(here.session))
                try await here.add("cap", 2).good()
                try await there.ship().good()
                let order = try await there.checkout(key: "one").good()
                // The same key gets the stored answer of the other release.
                let again = try await here.checkout(total: order.totals.total.amount, key: "one").good()
                #expect(again == order)
                let bought = try await here.buyNow(total: 1490, key: "two").good()
                #expect(try await there.order(id: bought.id) == bought)

                let next = try await other.refresh(here.refreshToken).good()
                try await one.caller(next).profile().good()
                for server in [one, other] {
                    #expect(try await server.anyone.signIn(email, password: "wrong password").status == 401)
                    _ = try await server.signIn(email)
                }

                let admin = try await one.signIn("root@example.com")
                try await other.caller(try #require(admin.session)).refund(order.id, amount: 500).good()
                #expect(try await there.order(id: order.id).payment.refunded.amount == 500)
                #expect(try await here.cancel(bought.id).good().status == .cancelled)
            }
        }
    }

    @Test func `Carts that both releases write in turn keep their sums, and no hold is left`() async throws {
        try await serve { old, new in
            let here = try await old.customer("cart@example.com")
            let there = new.caller(try #require(here.session))
            for round in 1...4 {
                for (one, other) in [(there, here), (here, there)] {
                    for sku in ["cap", "hat"] {
                        let answer = try await one.set(sku, to: round, headers: .minimal)
                        let summary = try CartSummary(json: answer.body)
                        for caller in [one, other] {
                            let cart = try await caller.cart()
                            #expect(cart.totals == summary.totals && cart.version == summary.version)
                        }
                    }
                }
            }
            // Each release pays orders, and gives up others.
            for (number, server) in [old, new, old, new].enumerated() {
                let card = number < 2 ? "tok_ok" : "tok_declined"
                let status = try await server.guest().buyNow(card: card, total: 1490).status
                #expect(status == (number < 2 ? 201 : 402))
            }
            let sql = """
                SELECT (SELECT COUNT(*) FROM holds), (SELECT CAST(SUM(held) AS BIGINT) FROM stock),
                    (SELECT COUNT(*) FROM orders WHERE status = 'paid')
                """
            let left = try await ShopFolder.rows(sql, in: database).map { row in try (0...2).map { try row.int($0) } }
            #expect(left == [[0, 0, 2]])
        }
    }

    @Test func `Units are sold once, and rides and imports of one release are seen at the other`() async throws {
        try await serve { old, new in
            let buyers = try await parallel(12) { try await ($0.isMultiple(of: 2) ? old : new).guest() }
            let statuses = try await parallel(12) { try await buyers[$0].buyNow("hat").status }
            #expect(statuses.count { $0 == 201 } == 5)

            let rider = try await new.customer("rider@example.com")
            let ride = try await rider.requestRide().good()
            _ = try await old.caller(try #require(rider.session)).call(Contract.ride, path: ["id": ride.id]).good()
            let second = try await old.customer("second@example.com")
            let other = try await second.requestRide().good()
            _ = try await new.caller(try #require(second.session)).call(Contract.ride, path: ["id": other.id]).good()

            let admin = try await new.signIn("root@example.com")
            let feed = try ShopFolder.csv(folder, "more", products: [("scarf", 3)])
            let sent = try await admin.send(
                "POST", "/v1/admin/imports?format=shopify-csv", String(contentsOfFile: feed, encoding: .utf8))
            #expect(sent.status == 202)
            try await eventually {
                try await old.anyone.call(Contract.product, path: ["handle": "scarf"]).status == 200
            }
        }
    }
}

private enum PreviousRelease {
    static let program = ProcessInfo.processInfo.environment["PREVIOUS_SERVER"].map { FilePath($0) }
}
