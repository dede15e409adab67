import Foundation
import PouchClient
import PseudoTerminal
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
            #expect(
                near.hasPrefix("Bondi Beach\t-33.8908,151.2743\t0 m\nTamarama Beach\t-33.9000,151.2708\t1.1 km\n"))
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
            let named = try await ann.succeeds("ride quote --from 'Bondi Beach' --to -33.8688,151.2093")
            #expect(named.errors.isEmpty)
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

    @Test
    func `When the response to a ride request is lost, the command says how to check for the ride`() async throws {
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
            #expect(outcome.status == 5)
            #expect(outcome.errors.contains("The ride may have been requested."))
            #expect(outcome.errors.contains("Check with `pouch ride list` before you request it again."))
        }
    }
}
