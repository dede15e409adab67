import Foundation
import PouchClient
import PouchDomain
import PseudoTerminal
import Synchronization
import Testing

/// Delivery by kangaroo at the terminal, in a city where time passes fast.
@Suite(.timeLimit(.minutes(3)))
struct KangarooTerminalTests {
    /// Somebody with an account, whose cart holds a scarf.
    private func shopper(at server: URL) async throws -> Shopper {
        let ann = try Shopper(at: server)
        let signUp = try await ann.pouch(
            "sign-up", "--name", "Ann Example", "--email", "ann@example.com", input: "correct horse\n")
        #expect(signUp.status == 0, "\(signUp.errors)")
        #expect(try await ann.pouch("cart", "add", "wool-scarf").status == 0)
        return ann
    }

    /// Goes from the cart to the confirmation, by kangaroo to Bondi Beach.
    private func order(_ ann: ShopVisitor) async throws {
        try await ann.see("Ann Example · Cart 1", "› Search the shop")
        ann.press(.down)
        try await ann.see("› All products")
        ann.type("c")
        try await ann.see("› 1 × Wool Scarf")
        ann.type("p")
        try await ann.see("› Name")
        ann.fill(["Ann Example", "1 Campbell Parade", "", "2026", "Bondi Beach", "", "au", ""])
        try await ann.see("› [ Show the ways of delivery ]")
        ann.press(.enter)
        try await ann.see("› Delivery          [Standard, 4.90 EUR]", "Place near by")
        ann.press(.down, .down)
        try await ann.see("› Place near by")
        ann.type("bondi beach")
        ann.press(.enter)
        try await ann.see("› Bondi Beach")
        ann.press(.enter)
        try await ann.see("Kangaroo, ", "A kangaroo comes to: Bondi Beach.", "› Delivery")
        ann.press(.right, .right, .down)
        try await ann.see("› [ Go on to the payment ]", "the same day")
        ann.press(.enter)
        try await ann.see("Delivery kangaroo, to Ann Example", "› Card token")
        ann.type("tok_ok")
        ann.press(.enter)
    }

    /// Acknowledges each notice, until the last one that is known was told.
    ///
    /// - Returns: Which were told, in their order. What is overtaken before it was shown is not.
    private func notices(_ known: [String], to ann: ShopVisitor) async throws -> [String] {
        var told: [String] = []
        while told.last != known.last {
            told.append(try await notice(of: known.filter { [told] in $0 != told.last }, to: ann))
            ann.press(.enter)
        }
        return told
    }

    /// The one that is shown by itself, and that no other has followed meanwhile.
    private func notice(of expected: [String], to ann: ShopVisitor) async throws -> String {
        let seen = Mutex("")
        try await ann.terminal.wait("one of \(expected)") { screen in
            guard screen.text.contains("Enter understood") else { return false }
            // A notice may take several lines.
            let text = screen.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard let notice = expected.first(where: text.contains) else { return false }
            seen.withLock { $0 = notice }
            return true
        }
        return seen.withLock { $0 }
    }

    @Test("What becomes of an order by kangaroo is told one after the other over whatever one looks at")
    func meanwhile() async throws {
        try await withRunningShop(in: CitySettings(speed: 100)) { shop in
            let shopper = try await shopper(at: shop.url)
            let ann = try ShopVisitor(at: shop.url, in: shopper.folder)
            try await order(ann)
            try await ann.see("fetches your order P-10001.", "Enter understood")
            ann.press(.enter)
            ann.type("h")
            // Another one comes where the first gives up.
            let known = [
                "fetches your order P-10001", "has your order P-10001 and is on the way", "P-10001 was delivered",
            ]
            let told = try await notices(known, to: ann)
            #expect(told.filter { $0 != known[0] } == Array(known[1...]))
            #expect(try await shopper.pouch("orders").output.contains("delivered"))
            ann.press(.interrupt)
            #expect(await ann.program.exit == 0)
        }
    }

    @Test("Where no kangaroo comes, the order's page offers other ways, and what the new one costs less comes back")
    func nobodyComes() async throws {
        try await withRunningShop(in: CitySettings(speed: 10_000, kangaroosOfEachSpecies: 0)) { shop in
            let ann = try ShopVisitor(at: shop.url, in: try await shopper(at: shop.url).folder)
            try await order(ann)
            try await ann.see("No kangaroo came for order P-10001: choose another way of delivery", "Enter understood")
            ann.press(.enter)
            ann.type("o")
            try await ann.see("› P-10001")
            ann.press(.enter)
            try await ann.see("No kangaroo came to fetch it.", "› Standard", "Express", "4.90 EUR")
            ann.press(.enter)
            try await ann.see("Send the order P-10001 by Standard?")
            ann.type("y")
            try await ann.see("Refunded", "Delivery standard, to Ann Example")
            #expect(!ann.terminal.screen.text.contains("No kangaroo came to fetch it."))
            ann.press(.interrupt)
            #expect(await ann.program.exit == 0)
        }
    }

    @Test("Scripts say where the address is by a place's name")
    func commands() async throws {
        try await withRunningShop { shop in
            let ann = try await shopper(at: shop.url)
            let kangaroo = ["checkout", "--card", "tok_ok", "--method", "kangaroo"] + TerminalTests.address
            let nowhere = try await ann.pouch(arguments: kangaroo)
            #expect(nowhere.status == 3)
            #expect(nowhere.errors.contains("This way of delivery needs a location."))
            let unknown = try await ann.pouch(arguments: kangaroo + ["--place", "Zzyzx Road"])
            #expect(unknown.status == 2)
            let checkout = try await ann.pouch(arguments: kangaroo + ["--place", "Bondi Beach", "--json"])
            #expect(checkout.status == 0, "\(checkout.errors)")
            let order = try WireJSON.decode(Order.self, from: Data(checkout.output.utf8))
            let rideId = try #require(order.rideId)
            let shown = try await ann.pouch("order", order.id)
            #expect(shown.output.contains("Follow it: pouch ride watch \(rideId)\n"))
            let alone = try await ann.pouch("checkout", "--card", "tok_ok", "--place", "Bondi Beach")
            #expect(alone.status == 64)
        }
    }

    @Test("A script that sees that no kangaroo came sends the order another way")
    func ship() async throws {
        try await withRunningShop(in: CitySettings(speed: 10_000, kangaroosOfEachSpecies: 0)) { shop in
            let ann = try await shopper(at: shop.url)
            let checkout = try await ann.pouch(
                arguments: ["checkout", "--card", "tok_ok", "--method", "kangaroo", "--place", "bondi beach", "--json"]
                    + TerminalTests.address)
            #expect(checkout.errors == "“bondi beach” was taken for Bondi Beach.\n")
            let order = try WireJSON.decode(Order.self, from: Data(checkout.output.utf8))
            let watch = try await ann.pouch("ride", "watch", try #require(order.rideId))
            #expect(watch.status == 0 && watch.output.hasSuffix("no kangaroo came\n"))

            let shown = try await ann.pouch("order", order.id)
            #expect(shown.output.contains("pouch ship \(order.id) --method METHOD"))
            #expect(!shown.output.contains("pouch ride watch"))
            #expect(try await ann.pouch("ship", order.id, "--method", "pigeon").status == 3)
            let shipped = try await ann.pouch("ship", order.id, "--method", "standard", "--json")
            let sent = try WireJSON.decode(Order.self, from: Data(shipped.output.utf8))
            #expect(sent.shipping?.methodId == "standard" && sent.deliveryFailure == nil)
            #expect(sent.payment.refunded.amount > 0)
            let again = try await ann.pouch("ship", order.id, "--method", "express")
            #expect(again.status == 3 && again.errors.contains("can no longer be changed"))
        }
    }
}
