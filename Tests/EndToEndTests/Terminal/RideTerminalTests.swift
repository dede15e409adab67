import Foundation
import PouchClient
import PouchJSON
import PseudoTerminal
import Testing

/// `pouch ride` at a terminal and in scripts.
@Suite(.timeLimit(.minutes(10)))
struct RideTerminalTests {
    private static let trip = ["--from", "-33.8688,151.2093", "--to", "bondi beach"]

    private func rider(at server: URL, through proxy: URL? = nil) async throws -> Shopper {
        let ann = try Shopper(at: proxy ?? server)
        try await ann.signUp()
        return ann
    }

    private func json<Value: JSONCodable>(
        _ type: Value.Type, _ ann: Shopper, _ arguments: [String]
    ) async throws -> Value { try await ann.pouch(arguments: ["ride"] + arguments + ["--json"]).json(type) }

    private func request(_ ann: Shopper, _ options: String...) async throws -> Ride {
        try await json(Ride.self, ann, ["request"] + Self.trip + options)
    }

    /// Runs `pouch ride watch` at a pseudo-terminal.
    private func watch(_ ride: Ride, _ ann: Shopper, at server: URL) throws -> (PseudoTerminal, TerminalProgram) {
        let terminal = try PseudoTerminal()
        return (terminal, try terminal.run("pouch", ["ride", "watch", ride.id], at: server, storingIn: ann.folder))
    }

    @Test func `Everyone can list places, and customers get quotes for a trip`() async throws {
        try await RideServer.open { server in
            let url = try await server.url
            let guest = try Shopper(at: url)
            let places = try await json([NamedLocation].self, guest, ["places", "--search", "bondi beach"])
            #expect(places.first?.name == "Bondi Beach")
            let near = try await guest.pouch("ride", "places", "--near", "-33.8908,151.2743")
            #expect(
                near.output.hasPrefix(
                    "Bondi Beach\t-33.8908,151.2743\t0 m\nTamarama Beach\t-33.9000,151.2708\t1.1 km\n"))
            // All of them, on more than one page of the server.
            let all = try await guest.pouch("ride", "places").output.split(separator: "\n")
            #expect(all.count > 100 && all == all.sorted() && Set(all).count == all.count)
            #expect(near.output.split(separator: "\n").count == all.count)
            let refusal = try await guest.pouch(arguments: ["ride", "quote"] + Self.trip)
            #expect(refusal.status == 4)
            #expect(try await guest.pouch("ride", "--help").output.contains("pouch sign-up"))
            let ann = try await rider(at: url)
            let quotes = try await json([FareQuote].self, ann, ["quote"] + Self.trip)
            let cheapest = try #require(quotes.min { $0.fare.amount < $1.fare.amount })
            let table = try await ann.pouch(arguments: ["ride", "quote"] + Self.trip)
            #expect(table.output.contains("\(cheapest.rideOptionID)\t\(cheapest.fare.decimal)"))
            // The argument is not the exact name of the place.
            #expect(table.errors == "Using Bondi Beach for “bondi beach”.\n")
            let named = try await ann.pouch("ride", "quote", "--from", "Bondi Beach", "--to", "-33.8688,151.2093")
            #expect(named.status == 0 && named.errors.isEmpty)
            let nowhere = try await ann.pouch("ride", "quote", "--from", "Zzyzx Road", "--to", "-33.8688,151.2093")
            #expect(nowhere.status == 2)
            for spot in ["91,0", "1", "1,2,3"] {
                let outcome = try await ann.pouch("ride", "places", "--near", spot)
                #expect(outcome.status == 64)
                #expect(outcome.errors.contains("must be like -33.8688,151.2093, not \(spot)."))
            }
        }
    }

    @Test func `A ride is requested, listed, shown and followed to its end, and then has a receipt`() async throws {
        try await RideServer.open { server in
            let url = try await server.url
            let ann = try await rider(at: url)
            let ride = try await request(ann, "--option", "kangaroo")
            #expect(ride.status == .requested && ride.rideOptionID == "kangaroo")
            let another = try await ann.pouch(arguments: ["ride", "request"] + Self.trip)
            #expect(another.status == 3 && another.errors.contains("pouch ride list"))
            #expect(try await json(Page<Ride>.self, ann, ["list"]).items.map(\.id) == [ride.id])
            #expect(try await ann.pouch("ride", "list").output.hasPrefix(ride.id + "\t"))
            let shown = try await ann.pouch("ride", "show", ride.id)
            #expect(shown.output.contains("Follow it: pouch ride watch \(ride.id)"))
            #expect(try await ann.pouch("ride", "receipt", ride.id).status == 3)
            let (terminal, program) = try watch(ride, ann, at: url)
            try await terminal.wait(for: "looking for a kangaroo")
            for status in ["on its way", "arriving", "riding", "completed"] {
                try await server.timePasses()
                try await terminal.wait(for: status)
            }
            #expect(await program.exit == 0)
            let last = try await json(Ride.self, ann, ["watch", ride.id])
            #expect(last.status == .completed)
            #expect(last.history.map(\.status) == [.requested, .accepted, .arriving, .inProgress, .completed])
            let receipt = try await json(RideReceipt.self, ann, ["receipt", ride.id])
            #expect(receipt.rideID == ride.id && receipt.fare == ride.fare)
            let text = try await ann.pouch("ride", "receipt", ride.id)
            #expect(text.output.contains(ride.fare.decimal) && text.output.contains("Driver: Skip"))
            #expect(try await ann.pouch("ride", "cancel", ride.id).status == 3)
        }
    }

    @Test func `A ride is cancelled before the pick-up, and other customers cannot see it`() async throws {
        try await RideServer.open { server in
            let url = try await server.url
            let ann = try await rider(at: url)
            let ride = try await request(ann)
            #expect(try await ann.pouch("ride", "cancel", ride.id).output.contains("cancelled"))
            #expect(try await json(Ride.self, ann, ["show", ride.id]).status == .cancelledByRider)
            let bea = try Shopper(at: url)
            try await bea.signUp(name: "Bea", email: "bea@example.com", password: "battery staple")
            for command in ["show", "watch", "cancel", "receipt"] {
                let outcome = try await bea.pouch("ride", command, ride.id)
                #expect(outcome.status == 2, "\(command)")
                #expect(outcome.output.isEmpty && outcome.errors.contains("pouch ride list"))
            }
            let none = try await ann.pouch(arguments: ["ride", "request"] + Self.trip + ["--option", "emu"])
            #expect(none.status == 2)
        }
    }

    @Test func `When the session ends elsewhere, watching a ride ends with a message and exit code 4`() async throws {
        try await RideServer.open { server in
            let url = try await server.url
            let ann = try await rider(at: url)
            let (terminal, program) = try watch(try await request(ann), ann, at: url)
            try await terminal.wait(for: "looking for a kangaroo")
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
            let address = try #require(URL(string: "http://127.0.0.1:\(proxy.port)"))
            let ann = try await rider(at: try await server.url, through: address)
            async let asked = ann.pouch(arguments: ["ride", "request"] + Self.trip)
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
