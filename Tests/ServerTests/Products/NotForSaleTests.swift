import Foundation
import PouchContract
import PouchEntities
import PouchHTTP
import PouchImport
import PouchJSON
import PouchServer
import PouchStorage
import PouchWire
import Testing

@testable import PouchDomain

@Suite("Products that are not for sale")
struct NotForSaleTests {
    @Test func `Adding, previewing and buying name every line that is not for sale`() async throws {
        try await TestShop.open { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            try await admin.change(product: "cap") { $0.status = .withdrawn }.good()
            try await admin.change(product: "scarf") { $0.status = .archived }.good()
            let lines = [StockShortfall(sku: "cap", available: 0), StockShortfall(sku: "scarf-s", available: 0)]
            #expect(try await guest.add("cap").problem(.notForSale).lines == [lines[0]])
            let wanted = ["cap", "gloves", "scarf-s"].map { LineRequest(sku: $0, quantity: 1) }
            #expect(try await guest.buyNow(wanted, total: 1).problem(.notForSale).lines == lines)
            let preview = try await guest.call(Contract.previewOrder, PreviewRequest(lines: wanted))
            #expect(try preview.problem(.notForSale).lines == lines)
            try await guest.add("nosuch").problem(.unknownSKU)
            #expect(try await shop.charges() == 0)
        }
    }

    @Test func `A cart lists lines that are not for sale, and a checkout needs the total without them`() async throws {
        try await TestShop.open { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            try await guest.add("cap", 2).good()
            try await guest.add("scarf-s").good()
            try await guest.ship().good()
            let before = try await guest.cart()
            try await admin.change(product: "cap") { $0.status = .withdrawn }.good()
            let refusal = try await guest.checkout(total: before.totals.total.amount).problem(.notForSale)
            #expect(refusal.lines == [StockShortfall(sku: "cap", available: 0)])
            let cart = try await guest.cart()
            #expect(cart.lines.map(\.sku) == ["scarf-s"] && cart.version == before.version)
            #expect(cart.changes == [.quantity(sku: "cap", .removed, from: 2, to: 0)])
            try await guest.set("cap", to: 1).problem(.notForSale)
            // On sale again, the line counts again.
            try await admin.change(product: "cap") { $0.status = .published }.good()
            #expect(try await guest.cart().totals == before.totals)
            try await admin.change(product: "cap") { $0.status = .withdrawn }.good()
            let order = try await guest.checkout(total: cart.totals.total.amount).good()
            #expect(order.lines.map(\.sku) == ["scarf-s"])
            #expect(try await guest.cart().changes == [])
        }
    }

    @Test func `A cart with nothing else in it is refused, and taking the line out ends the notice`() async throws {
        try await TestShop.open { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            try await guest.add("cap").good()
            try await guest.ship().good()
            try await admin.change(product: "cap") { $0.status = .withdrawn }.good()
            try await guest.checkout(total: 490).problem(.notForSale)
            try await guest.call(Contract.removeCartLine, path: ["sku": "cap"]).good()
            #expect(try await guest.cart().changes == [])
            try await guest.checkout(total: 490).problem(.cartEmpty)
        }
    }

    @Test func `A guest's line that is not for sale is left out at sign-up, and listed as a change`() async throws {
        try await TestShop.open { shop in
            let (admin, guest) = (try await shop.admin(), try await shop.guest())
            try await guest.add("cap", 3).good()
            try await admin.change(product: "cap") { $0.status = .withdrawn }.good()
            let ada = shop.caller(try await guest.call(Contract.signUp, .sample()).good())
            let cart = try await ada.cart()
            #expect(cart.lines == [] && cart.changes == [.quantity(sku: "cap", .removed, from: 3, to: 0)])
        }
    }

    /// The sales of a product that were answered, and whether its withdrawal was.
    private actor Counter {
        private(set) var isGone = false
        private(set) var sold = 0
        private let (sales, sale) = AsyncStream<Void>.makeStream()

        func sells() {
            sold += 1
            sale.yield()
        }

        func goes() { isGone = true }

        /// Waits for a number of sales.
        nonisolated func sells(_ count: Int) async {
            var left = count
            for await _ in sales {
                left -= 1
                if left == 0 { return }
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `No purchase that begins after a withdrawal was answered succeeds, and each other ends cleanly`() async throws
    {
        let (buyerCount, stock) = (12, 500)
        let skus = (0..<4).map { "item-\($0)" }
        try await TestShop.open(skus.map { .stocked($0, stock: stock) }) { shop in
            let admin = try await shop.admin()
            let buyers = try await parallel(buyerCount) { _ in try await shop.guest() }
            var sold = 0
            for sku in skus {
                let counter = Counter()
                async let withdrawing: Void = {
                    // While all buyers are buying.
                    await counter.sells(buyerCount)
                    _ = try await patiently { try await admin.change(product: sku) { $0.status = .withdrawn } }.good()
                    await counter.goes()
                }()
                // Each buys until the shop refuses.
                _ = try await parallel(buyerCount) { number in
                    while true {
                        let isGone = await counter.isGone
                        let answer = try await patiently { try await buyers[number].buyNow(sku) }
                        guard answer.status == 201 else { return try answer.problem(.notForSale) }
                        #expect(!isGone)
                        await counter.sells()
                    }
                }
                try await withdrawing
                let rows = try await shop.rows("SELECT on_hand, held FROM stock WHERE sku = '\(sku)'")[0]
                #expect(try await rows.int(0) == stock - counter.sold && rows.int(1) == 0)
                #expect(await counter.sold >= buyerCount)
                sold += await counter.sold
            }
            #expect(try await shop.charges() == sold)
        }
    }
}
