import Foundation
import PouchClient
import PouchDomain
import PouchRides
import PseudoTerminal
import Synchronization
import Testing

/// Delivery by kangaroo at the terminal, in a city with accelerated time.
@Suite(.timeLimit(.minutes(10)))
struct KangarooTerminalTests {
    /// Serves a shop while the closure runs with a shopper who has an account, and a scarf in the cart.
    private func withShopper(
        in city: CitySettings = CitySettings(), _ body: @Sendable (_ ann: Shopper, RunningShop) async throws -> Void
    ) async throws {
        try await withRunningShop(in: city) { shop in
            let ann = try Shopper(at: shop.url)
            try await ann.signUp()
            try await ann.succeeds("cart add wool-scarf")
            try await body(ann, shop)
        }
    }

    /// Orders the cart by kangaroo to Bondi Beach.
    private func order(_ ann: ShopVisitor) async throws {
        try await ann.see("Ann Example · Cart 1", "› Search the shop")
        try await ann.type(.down, seeing: "› All products")
        try await ann.type("c", seeing: "› 1 × Wool Scarf")
        try await ann.type("p", seeing: "› Name")
        ann.fill("Ann Example", "1 Campbell Parade", "", "2026", "Bondi Beach", "", "au", "")
        try await ann.see("› [ Show the delivery options ]")
        try await ann.type(.enter, seeing: "› Delivery          [Standard, 4.90 EUR]", "Place nearby")
        try await ann.type(.down, .down, seeing: "› Place nearby")
        try await ann.type("bondi beach", .enter, seeing: "› Bondi Beach")
        try await ann.type(
            .enter, seeing: "Kangaroo, ", "A kangaroo delivers to: Bondi Beach.", "› Delivery")
        try await ann.type(.right, .right, .down, seeing: "› [ Continue to payment ]", "the same day")
        try await ann.type(.enter, seeing: "Delivery kangaroo, to Ann Example", "› Card token")
        ann.type("tok_ok", .enter)
    }

    /// Waits for a notice with another text than the last one, confirms it, and returns its text.
    private func confirmNotice(after last: String? = nil, to ann: ShopVisitor) async throws -> String {
        let seen = Mutex("")
        try await ann.terminal.wait("a notice after \(last ?? "none")") { screen in
            guard screen.text.contains("Enter OK") else { return false }
            // A notice may take several lines. The last line counts those that wait.
            let lines = screen.text.split(separator: "\n").filter { $0.hasPrefix("│") }
                .map { $0.trimmingCharacters(in: ["│", " "]) }.filter { !$0.hasSuffix(" more") }
            let notice = lines.joined(separator: " ")
            guard notice != last else { return false }
            seen.withLock { $0 = notice }
            return true
        }
        ann.type(.enter)
        return seen.withLock { $0 }
    }

    @Test func `Notices about an order by kangaroo appear one after the other above any screen`() async throws {
        // Slow enough that even a busy machine shows each notice before the next.
        try await withShopper(in: CitySettings(speed: 40)) { shopper, shop in
            let ann = try ShopVisitor(at: shop.url, in: shopper.folder)
            try await order(ann)
            var shown = [try await confirmNotice(to: ann)]
            ann.type("h")
            while let last = shown.last, !last.contains("was delivered") {
                shown.append(try await confirmNotice(after: last, to: ann))
            }
            // The first notice repeats if a kangaroo gives up and another one comes.
            let fetching = shown.prefix { $0.contains("fetches your order P-10001.") }
            #expect(!fetching.isEmpty)
            let rest = shown.dropFirst(fetching.count)
            #expect(
                rest.count == 2 && rest.first?.contains("has your order P-10001 and is on the way") == true, "\(shown)")
            #expect(shown.last?.contains("P-10001 was delivered") == true)
            try await shopper.succeeds("orders", printing: "delivered")
            await ann.interrupt()
        }
    }

    @Test func `Without a kangaroo, the order offers other methods, and the difference in price is refunded`()
        async throws
    {
        try await withShopper(in: CitySettings(speed: 10_000, kangaroosOfEachSpecies: 0)) { shopper, shop in
            let ann = try ShopVisitor(at: shop.url, in: shopper.folder)
            try await order(ann)
            try await ann.see("No kangaroo came for order P-10001: choose another delivery method", "Enter OK")
            try await ann.type(.enter, "o", seeing: "› P-10001")
            try await ann.type(.enter, seeing: "No kangaroo came to fetch it.", "› Standard", "Express", "4.90 EUR")
            try await ann.type(.enter, seeing: "Send order P-10001 by Standard?")
            try await ann.type("y", seeing: "Refunded", "Delivery standard, to Ann Example")
            #expect(!ann.terminal.screen.text.contains("No kangaroo came to fetch it."))
            await ann.interrupt()
        }
    }

    @Test func `Scripts name the location of an address by a place`() async throws {
        try await withShopper { ann, _ in
            let kangaroo = "checkout --card tok_ok --method kangaroo \(Shopper.address)"
            try await ann.fails(kangaroo, 3, saying: "This shipping method needs a location.")
            try await ann.fails("\(kangaroo) --place 'Zzyzx Road'", 2)
            let order = try await ann.json("\(kangaroo) --place 'Bondi Beach'", as: Order.self)
            let rideId = try #require(order.rideId)
            try await ann.succeeds("order \(order.id)", printing: "Follow it: pouch ride watch \(rideId)\n")
            try await ann.fails("checkout --card tok_ok --place 'Bondi Beach'", 64)
        }
    }

    @Test
    func `The shipping methods for the cart are listed with their prices, and a refused method names the list`()
        async throws
    {
        try await withShopper { ann, _ in
            let listed = try await ann.succeeds("cart methods")
            #expect(
                listed.output == """
                    standard\tStandard\t4.90 EUR\t3 to 5 working days
                    express\tExpress\t9.90 EUR\tnext working day

                    """)
            let methods = try await ann.json(
                "cart methods --country Australia --place 'Bondi Beach'", as: [ShippingMethod].self)
            #expect(methods.map(\.id).contains(ShippingMethod.courierId) && methods.count == 3)
            try await ann.fails("cart methods --country Nowhere", 64)
            try await ann.fails(
                "checkout --card tok_ok --method drone \(Shopper.address)", 3, saying: "`pouch cart methods`")
        }
    }

    @Test func `A script chooses another shipping method after no kangaroo came`() async throws {
        try await withShopper(in: CitySettings(speed: 10_000, kangaroosOfEachSpecies: 0)) { ann, _ in
            let checkout = try await ann.pouch(
                "checkout --card tok_ok --method kangaroo --place 'bondi beach' --json \(Shopper.address)")
            #expect(checkout.errors == "Using Bondi Beach for “bondi beach”.\n")
            let order = try checkout.json(Order.self)
            let watch = try await ann.succeeds("ride watch \(try #require(order.rideId))")
            #expect(watch.output.hasSuffix("no kangaroo came\n"))

            let shown = try await ann.succeeds(
                "order \(order.id)", printing: "pouch ship \(order.number) --method METHOD")
            #expect(!shown.output.contains("pouch ride watch"))
            try await ann.fails("ship \(order.id) --method pigeon", 3)
            let sent = try await ann.json("ship \(order.id) --method standard", as: Order.self)
            #expect(sent.shipping?.methodId == "standard" && sent.deliveryFailure == nil)
            #expect(sent.payment.refunded.amount > 0)
            try await ann.fails("ship \(order.id) --method express", 3, saying: "can no longer be changed")
        }
    }
}
