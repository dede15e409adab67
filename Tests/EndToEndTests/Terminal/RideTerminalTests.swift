import Foundation
import PouchClient
import PouchDomain
import PouchRides
import PseudoTerminal
import Synchronization
import Testing

/// `pouch ride` at a terminal and in scripts.
@Suite(.timeLimit(.minutes(10)))
struct RideTerminalTests {
    private static let trip = "--from -33.8688,151.2093 --to 'bondi beach'"

    private func withRider(
        _ body: @Sendable (_ ann: Shopper, _ url: URL, RideServer) async throws -> Void
    ) async throws {
        try await RideServer.open { server in
            let url = try await server.url
            let ann = try Shopper(at: url)
            try await ann.signUp()
            try await body(ann, url, server)
        }
    }

    /// Runs `pouch ride watch` at a pseudo-terminal until it has found the ride.
    private func watch(_ ride: Ride, _ ann: Shopper, at server: URL) async throws -> (PseudoTerminal, TerminalProgram) {
        let terminal = try PseudoTerminal()
        let program = try terminal.run("pouch", ["ride", "watch", ride.id], at: server, storingIn: ann.folder)
        try await terminal.wait(for: "looking for a kangaroo")
        return (terminal, program)
    }

    @Test func `Everyone can list places, and customers get quotes for a trip`() async throws {
        try await withRider { ann, url, _ in
            let guest = try Shopper(at: url)
            let places = try await guest.json("ride places --search 'bondi beach'", as: [NamedLocation].self)
            #expect(places.first?.name == "Bondi Beach")
            let near = try await guest.pouch("ride places --near -33.8908,151.2743").output
            #expect(near.hasPrefix("Bondi Beach\t-33.8908,151.2743\t0 m\nTamarama Beach\t-33.9000,151.2708\t1.1 km\n"))
            // All of them, on more than one page of the server.
            let all = try await guest.pouch("ride places").output.split(separator: "\n")
            #expect(all.count > 100 && all == all.sorted() && Set(all).count == all.count)
            #expect(near.split(separator: "\n").count == all.count)
            try await guest.fails("ride quote \(Self.trip)", 4)
            try await guest.succeeds("ride --help", printing: "pouch sign-up")

            let quotes = try await ann.json("ride quote \(Self.trip)", as: [FareQuote].self)
            let cheapest = try #require(quotes.min { $0.fare.amount < $1.fare.amount })
            let table = try await ann.succeeds(
                "ride quote \(Self.trip)", printing: "\(cheapest.rideOptionID)\t\(cheapest.fare.decimal)")
            // The argument is not the exact name of the place.
            #expect(table.errors == "Using Bondi Beach for “bondi beach”.\n")
            #expect(try await ann.succeeds("ride quote --from 'Bondi Beach' --to -33.8688,151.2093").errors.isEmpty)
            try await ann.fails("ride quote --from 'Zzyzx Road' --to -33.8688,151.2093", 2)
            for spot in ["91,0", "1", "1,2,3"] {
                try await ann.fails(
                    "ride places --near \(spot)", 64, saying: "must be like -33.8688,151.2093, not \(spot).")
            }
        }
    }

    @Test func `A ride is requested, listed, shown and followed to its end, and then has a receipt`() async throws {
        try await withRider { ann, url, server in
            let ride = try await ann.json("ride request \(Self.trip) --option kangaroo", as: Ride.self)
            #expect(ride.status == .requested && ride.rideOptionID == "kangaroo")
            try await ann.fails("ride request \(Self.trip)", 3, saying: "pouch ride list")
            #expect(try await ann.json("ride list", as: Page<Ride>.self).items.map(\.id) == [ride.id])
            #expect(try await ann.pouch("ride list").output.hasPrefix(ride.id + "\t"))
            try await ann.succeeds("ride show \(ride.id)", printing: "Follow it: pouch ride watch \(ride.id)")
            try await ann.fails("ride receipt \(ride.id)", 3)

            let (terminal, program) = try await watch(ride, ann, at: url)
            for status in ["on its way", "arriving", "riding", "completed"] {
                try await server.timePasses()
                try await terminal.wait(for: status)
            }
            #expect(await program.exit == 0)

            let last = try await ann.json("ride watch \(ride.id)", as: Ride.self)
            #expect(last.status == .completed)
            #expect(last.history.map(\.status) == [.requested, .accepted, .arriving, .inProgress, .completed])
            let receipt = try await ann.json("ride receipt \(ride.id)", as: RideReceipt.self)
            #expect(receipt.rideID == ride.id && receipt.fare == ride.fare)
            try await ann.succeeds("ride receipt \(ride.id)", printing: ride.fare.decimal, "Driver: Skip")
            try await ann.fails("ride cancel \(ride.id)", 3)
        }
    }

    @Test func `A ride is cancelled before the pick-up, and other customers cannot see it`() async throws {
        try await withRider { ann, url, _ in
            let ride = try await ann.json("ride request \(Self.trip)", as: Ride.self)
            try await ann.succeeds("ride cancel \(ride.id)", printing: "cancelled")
            #expect(try await ann.json("ride show \(ride.id)", as: Ride.self).status == .cancelledByRider)
            let bea = try Shopper(at: url)
            try await bea.signUp(name: "Bea", email: "bea@example.com", password: "battery staple")
            for command in ["show", "watch", "cancel", "receipt"] {
                try await bea.fails("ride \(command) \(ride.id)", 2, saying: "pouch ride list")
            }
            try await ann.fails("ride request \(Self.trip) --option emu", 2)
        }
    }

    @Test func `When the session ends elsewhere, watching a ride ends with a message and exit code 4`() async throws {
        try await withRider { ann, url, server in
            let ride = try await ann.json("ride request \(Self.trip)", as: Ride.self)
            let (terminal, program) = try await watch(ride, ann, at: url)
            let elsewhere = try await server.elsewhere()
            try await elsewhere.account.signIn(email: "ann@example.com", password: "correct horse")
            try await elsewhere.account.changePassword(from: "correct horse", to: "battery staple")
            try await terminal.wait(for: "Your session has ended.")
            #expect(await program.exit == 4)
        }
    }

    @Test func `When the answer to a ride request is lost, the command says how to check for the ride`() async throws {
        try await RideServer.open { server in
            let proxy = try await HoldingProxy(server: #require(try await server.url.port))
            let proxying = Task { await proxy.run() }
            defer { proxying.cancel() }
            let ann = try Shopper(at: try #require(URL(string: "http://127.0.0.1:\(proxy.port)")))
            try await ann.signUp()
            async let asked = ann.pouch("ride request \(Self.trip)")
            // The server has the ride, and then the connection breaks permanently.
            _ = await proxy.held.first { _ in true }
            proxying.cancel()
            let outcome = try await asked
            #expect(outcome.status == 5 && outcome.errors.contains("The ride may have been requested."))
            #expect(outcome.errors.contains("Check with `pouch ride list` before you request it again."))
        }
    }
}

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
        try await ann.see("› [ Show delivery options ]")
        try await ann.type(.enter, seeing: "› Delivery          [Standard, 4.90 EUR]", "Place nearby")
        try await ann.type(.down, .down, seeing: "› Place nearby")
        try await ann.type("bondi beach", .enter, seeing: "› Bondi Beach")
        try await ann.type(.enter, seeing: "Kangaroo, ", "A kangaroo can deliver to: Bondi Beach.", "› Delivery")
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
            let fetching = shown.prefix { $0.contains("is picking up your order P-10001.") }
            #expect(!fetching.isEmpty)
            let rest = shown.dropFirst(fetching.count)
            #expect(
                rest.count == 2 && rest.first?.contains("has picked up your order P-10001 and is on the way") == true,
                "\(shown)")
            #expect(shown.last?.contains("P-10001 was delivered") == true)
            try await shopper.succeeds("orders", printing: "delivered")
            await ann.interrupt()
        }
    }

    @Test func `Without a kangaroo, an order offers other methods, and refunds the difference in price`() async throws {
        try await withShopper(in: CitySettings(speed: 10_000, kangaroosOfEachSpecies: 0)) { shopper, shop in
            let ann = try ShopVisitor(at: shop.url, in: shopper.folder)
            try await order(ann)
            try await ann.see("No kangaroo was available for order P-10001.", "Enter OK")
            try await ann.type(.enter, "o", seeing: "› P-10001")
            try await ann.type(
                .enter, seeing: "No kangaroo was available to pick it up.", "› Standard", "Express", "4.90 EUR")
            try await ann.type(.enter, seeing: "Send order P-10001 by Standard?")
            try await ann.type("y", seeing: "Refunded", "Delivery standard, to Ann Example")
            #expect(!ann.terminal.screen.text.contains("No kangaroo was available to pick it up."))
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

    @Test func `Shipping methods are listed with prices for the cart, and a refused one names the list`() async throws {
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
            #expect(watch.output.hasSuffix("no kangaroo was available\n"))

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
