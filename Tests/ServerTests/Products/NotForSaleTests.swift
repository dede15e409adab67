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

    @Test(.timeLimit(.minutes(2)))
    func `No purchase that begins after a withdrawal was answered succeeds, and each other ends cleanly`() async throws
    {
        let stock = (0..<4).map { FeedProduct.stocked("item-\($0)", stock: 500) }
        try await TestShop.open(stock) { shop in
            let admin = try await shop.admin()
            let withdrawn = Box<[String: Bool]>()
            let buyers = try await parallel(12) { _ in try await shop.guest() }
            async let withdrawing: Void = {
                for number in 0..<4 {
                    try await Task.sleep(for: .milliseconds(40))
                    _ = try await patiently {
                        try await admin.change(product: "item-\(number)") { $0.status = .withdrawn }
                    }.good()
                    await withdrawn.set((await withdrawn.value ?? [:]).merging(["item-\(number)": true]) { $1 })
                }
            }()
            let outcomes = try await parallel(12) { buyer in
                var (sold, refused) = (0, 0)
                for round in 0..<12 {
                    let sku = "item-\((buyer + round) % 4)"
                    let isGone = await withdrawn.value?[sku] == true
                    let answer = try await patiently { try await buyers[buyer].buyNow(sku) }
                    if answer.status == 201 {
                        sold += 1
                    } else {
                        try answer.problem(.notForSale)
                        refused += 1
                    }
                    #expect(!(isGone && answer.status == 201))
                }
                return [sold, refused]
            }
            try await withdrawing
            let sold = outcomes.map { $0[0] }.reduce(0, +)
            let rows = try await shop.rows("SELECT SUM(on_hand), SUM(held) FROM stock")[0]
            #expect(try rows.int(0) == 2_000 - sold && rows.int(1) == 0)
            #expect(try await shop.charges() == sold)
            #expect(outcomes.map { $0[1] }.reduce(0, +) > 0)
            for number in 0..<4 { try await buyers[0].buyNow("item-\(number)").problem(.notForSale) }
        }
    }
}
