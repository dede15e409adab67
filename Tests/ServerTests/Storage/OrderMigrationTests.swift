import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchServer
import PouchStorage
import PouchWire
import TestDatabase
import Testing

@Suite("Orders from before they were documents")
struct OrderMigrationTests {
    /// A shop on a database of version 1, right after it was brought up to date: with one order that is paid, one that
    /// waits for its payment, and one that was cancelled and is to be refunded.
    private func open(_ body: @escaping @Sendable (TestShop) async throws -> Void) async throws {
        try await TemporaryFolder.use { folder in
            let address = try await TestDatabase(in: folder, isFresh: true).address
            let database = try address.connect()
            try await Migrator(upTo: 1).migrate(database)
            let totals = try WireJSON.encode(
                Totals(
                    items: Money(2000, .eur), discount: Money(0, .eur), shipping: Money(490, .eur), tax: Money(0, .eur),
                    total: Money(2490, .eur)))
            try await database.write { connection in
                for (id, status, payment) in [
                    ("ord_1", "paid", "captured"), ("ord_2", "pending", "pending"), ("ord_3", "cancelled", "captured"),
                ] {
                    try connection.run(
                        """
                        INSERT INTO orders (id, number, owner_id, version, status, totals, email, from_cart, payment_id,
                            payment_status, payment_amount, refunded, currency, ledger_id, created_at)
                        VALUES (?, ?, 'ses_1', 2, ?, ?, 'a@example.com', 0, ?, ?, 2490, 0, 'EUR', 'scripted', ?)
                        """,
                        [
                            .text(id), .text("P-" + id), .text(status), .text(String(decoding: totals, as: UTF8.self)),
                            .text("pay_" + id), .text(payment),
                            .integer(1_700_000_000_000),
                        ])
                    for (position, sku) in ["cap", "hat"].enumerated() {
                        try connection.run(
                            """
                            INSERT INTO order_lines (order_id, position, sku, name, options, quantity, unit_price,
                                line_total, discount, tax, refunded_quantity)
                            VALUES (?, ?, ?, ?, '{"Size":"M"}', 1, 1000, 1000, 0, 0, 0)
                            """,
                            [.text(id), .integer(position), .text(sku), .text(sku.capitalized)])
                    }
                    let events = status == "pending" ? [status] : ["pending", status]
                    for (position, event) in events.enumerated() {
                        try connection.run(
                            "INSERT INTO order_events (order_id, position, status, at) VALUES (?, ?, ?, ?)",
                            [
                                .text(id), .integer(position), .text(event),
                                .integer(1_700_000_000_000 + position),
                            ])
                    }
                }
            }
            try await database.close()
            try await TestShop.open([], configure: { $0.database = address }, body)
        }
    }

    @Test func `They are listed with their lines and their history`() async throws {
        try await open { shop in
            let admin = try await shop.admin()
            let orders = try await admin.call(Contract.allOrders).good().items
            #expect(orders.map(\.id) == ["ord_3", "ord_2", "ord_1"])
            for order in orders {
                #expect(order.lines.map(\.sku) == ["cap", "hat"] && order.lines.map(\.name) == ["Cap", "Hat"])
                #expect(order.lines.allSatisfy { $0.options == ["Size": "M"] && $0.lineTotal == Money(1000, .eur) })
                #expect(order.totals.total == Money(2490, .eur) && order.email == "a@example.com")
            }
            #expect(orders[2].history.map(\.status) == [.pending, .paid])
            #expect(
                orders[2].history.map(\.at.timeIntervalSince1970) == [1_700_000_000, 1_700_000_000.001])
            #expect(orders[1].history.map(\.status) == [.pending])
            #expect(try await admin.fulfil("ord_1").good().status == .fulfilled)
        }
    }

    @Test func `A refund that was outstanding is made`() async throws {
        try await open { shop in
            let settlement = OrderSettlement(
                shop.environment, carts: shop.services.carts, payments: ScriptedPayments(), encode: StoredAnswer.init(outcome:))
            let pending = try await shop.store.read {
                try $0.refunds.pending(ledgerId: "scripted", after: nil, limit: 10)
            }
            #expect(pending.map(\.orderId) == ["ord_3"] && pending.map(\.amount) == [Money(2490, .eur)])
            // The one that waits for its payment is tried too, and stays: this catalogue does not have its units.
            _ = try await settlement.settleAll()
            let orders = try await shop.admin().call(Contract.allOrders, query: "status=cancelled").good().items
            #expect(orders.map(\.payment.status) == [.refunded])
            #expect(orders.map(\.payment.refunded) == [Money(2490, .eur)])
            #expect(orders.first?.history.map(\.status) == [.pending, .cancelled])
        }
    }
}
