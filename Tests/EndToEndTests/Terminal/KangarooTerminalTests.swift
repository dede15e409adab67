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
    /// A shopper with an account and a scarf in the cart.
    private func shopper(at server: URL) async throws -> Shopper {
        let ann = try Shopper(at: server)
        try await ann.signUp()
        #expect(try await ann.pouch("cart", "add", "wool-scarf").status == 0)
        return ann
    }

    /// Orders the cart by kangaroo to Bondi Beach.
    private func order(_ ann: ShopVisitor) async throws {
        try await ann.see("Ann Example · Cart 1", "› Search the shop")
        ann.press(.down)
        try await ann.see("› All products")
        ann.type("c")
        try await ann.see("› 1 × Wool Scarf")
        ann.type("p")
        try await ann.see("› Name")
        ann.fill(["Ann Example", "1 Campbell Parade", "", "2026", "Bondi Beach", "", "au", ""])
        try await ann.see("› [ Show the delivery options ]")
        ann.press(.enter)
        try await ann.see("› Delivery          [Standard, 4.90 EUR]", "Place nearby")
        ann.press(.down, .down)
        try await ann.see("› Place nearby")
        ann.type("bondi beach")
        ann.press(.enter)
        try await ann.see("› Bondi Beach")
        ann.press(.enter)
        try await ann.see("Kangaroo, ", "A kangaroo delivers to: Bondi Beach.", "› Delivery")
        ann.press(.right, .right, .down)
        try await ann.see("› [ Continue to payment ]", "the same day")
        ann.press(.enter)
        try await ann.see("Delivery kangaroo, to Ann Example", "› Card token")
        ann.type("tok_ok")
        ann.press(.enter)
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
        ann.press(.enter)
        return seen.withLock { $0 }
    }

    @Test func `Notices about an order by kangaroo appear one after the other above any screen`() async throws {
        // Slow enough that even a busy machine shows each notice before the next.
        try await withRunningShop(in: CitySettings(speed: 40)) { shop in
            let shopper = try await shopper(at: shop.url)
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
            #expect(try await shopper.pouch("orders").output.contains("delivered"))
            await ann.interrupt()
        }
    }

    @Test
    func `Without a kangaroo, the order offers other methods, and the difference in price is refunded`() async throws {
        try await withRunningShop(in: CitySettings(speed: 10_000, kangaroosOfEachSpecies: 0)) { shop in
            let ann = try ShopVisitor(at: shop.url, in: try await shopper(at: shop.url).folder)
            try await order(ann)
            try await ann.see("No kangaroo came for order P-10001: choose another delivery method", "Enter OK")
            ann.press(.enter)
            ann.type("o")
            try await ann.see("› P-10001")
            ann.press(.enter)
            try await ann.see("No kangaroo came to fetch it.", "› Standard", "Express", "4.90 EUR")
            ann.press(.enter)
            try await ann.see("Send order P-10001 by Standard?")
            ann.type("y")
            try await ann.see("Refunded", "Delivery standard, to Ann Example")
            #expect(!ann.terminal.screen.text.contains("No kangaroo came to fetch it."))
            await ann.interrupt()
        }
    }

    @Test func `Scripts name the location of an address by a place`() async throws {
        try await withRunningShop { shop in
            let ann = try await shopper(at: shop.url)
            let kangaroo = ["checkout", "--card", "tok_ok", "--method", "kangaroo"] + TerminalTests.address
            let nowhere = try await ann.pouch(arguments: kangaroo)
            #expect(nowhere.status == 3)
            #expect(nowhere.errors.contains("This shipping method needs a location."))
            let unknown = try await ann.pouch(arguments: kangaroo + ["--place", "Zzyzx Road"])
            #expect(unknown.status == 2)
            let checkout = try await ann.pouch(arguments: kangaroo + ["--place", "Bondi Beach", "--json"])
            let order = try checkout.json(Order.self)
            let rideId = try #require(order.rideId)
            let shown = try await ann.pouch("order", order.id)
            #expect(shown.output.contains("Follow it: pouch ride watch \(rideId)\n"))
            let alone = try await ann.pouch("checkout", "--card", "tok_ok", "--place", "Bondi Beach")
            #expect(alone.status == 64)
        }
    }

    @Test func `The shipping methods for the cart are listed with their prices, and a refused method names the list`()
        async throws
    {
        try await withRunningShop { shop in
            let ann = try await shopper(at: shop.url)
            let listed = try await ann.pouch("cart", "methods")
            #expect(
                listed.output == """
                    standard\tStandard\t4.90 EUR\t3 to 5 working days
                    express\tExpress\t9.90 EUR\tnext working day

                    """, "\(listed.errors)")
            let near = try await ann.pouch(
                "cart", "methods", "--country", "Australia", "--place", "Bondi Beach", "--json")
            let methods = try near.json([ShippingMethod].self)
            #expect(methods.map(\.id).contains(ShippingMethod.courierId) && methods.count == 3)
            #expect(try await ann.pouch("cart", "methods", "--country", "Nowhere").status == 64)
            let refused = try await ann.pouch(
                arguments: ["checkout", "--card", "tok_ok", "--method", "drone"] + TerminalTests.address)
            #expect(refused.status == 3 && refused.errors.contains("`pouch cart methods`"), "\(refused.errors)")
        }
    }

    @Test func `A script chooses another shipping method after no kangaroo came`() async throws {
        try await withRunningShop(in: CitySettings(speed: 10_000, kangaroosOfEachSpecies: 0)) { shop in
            let ann = try await shopper(at: shop.url)
            let checkout = try await ann.pouch(
                arguments: ["checkout", "--card", "tok_ok", "--method", "kangaroo", "--place", "bondi beach", "--json"]
                    + TerminalTests.address)
            #expect(checkout.errors == "Using Bondi Beach for “bondi beach”.\n")
            let order = try checkout.json(Order.self)
            let watch = try await ann.pouch("ride", "watch", try #require(order.rideId))
            #expect(watch.status == 0 && watch.output.hasSuffix("no kangaroo came\n"))
            let shown = try await ann.pouch("order", order.id)
            #expect(shown.output.contains("pouch ship \(order.number) --method METHOD"))
            #expect(!shown.output.contains("pouch ride watch"))
            #expect(try await ann.pouch("ship", order.id, "--method", "pigeon").status == 3)
            let shipped = try await ann.pouch("ship", order.id, "--method", "standard", "--json")
            let sent = try shipped.json(Order.self)
            #expect(sent.shipping?.methodId == "standard" && sent.deliveryFailure == nil)
            #expect(sent.payment.refunded.amount > 0)
            let again = try await ann.pouch("ship", order.id, "--method", "express")
            #expect(again.status == 3 && again.errors.contains("can no longer be changed"))
        }
    }
}
