import PouchMail
import ServerTesting

/// One run: buyers, an administrator and the background work of several servers at the same time, under the faults that
/// the seed chose; then a recovery without faults, and the comparison of the books.
struct Run: Sendable {
    private let world: World
    private let ledger = PaymentLedger()
    private let fleet: Fleet
    private let buyers: [Buyer]
    private let merchant: Merchant
    private let phase = Phase()

    /// `@unchecked Sendable`: used on the scheduler's thread only.
    private final class Phase: @unchecked Sendable {
        var isOpen = true
    }

    /// The time that the clock may pass in one day of the run: answers are repeated for 24 hours.
    private static let longest: TimeInterval = 18 * 3600

    init(_ world: World, merchant principal: Principal) {
        self.world = world
        fleet = Fleet(world, ledger, count: 2 + world.below(2), shop: Stage.shop(world))
        buyers = (0..<2 + world.below(3)).map { [fleet] in Buyer($0, world, fleet) }
        merchant = Merchant(principal, world, fleet)
    }

    func play() async {
        do {
            try stock()
            world.faults = FaultRates(&world.random)
            await walk()
            try await recover()
            try await tellOutside()
            try await Books(world: world, ledger: ledger, clients: buyers.map(\.client) + [merchant.client])
                .compare(in: fleet)
        } catch { world.violation("The run ended with \(String(reflecting: error)).") }
    }

    private func stock() throws {
        for sku in Stage.skus where world.chance(50) {
            try world.connection.run(
                "UPDATE stock SET on_hand = ? WHERE sku = ?", [.integer(1 + world.below(5)), .text(sku)])
        }
        try world.notes.add(.stock, since: [:], on: world.connection)
    }

    // MARK: The walk
    private func walk() async {
        await withTaskGroup(of: Void.self) { background in
            background.addTask { await weather() }
            for server in 0..<2 { background.addTask { await keepHouse(server) } }
            await withTaskGroup(of: Void.self) { people in
                for buyer in buyers { people.addTask { await buyer.run(4 + world.below(5)) } }
                people.addTask { await merchant.run(world.below(6)) }
            }
            phase.isOpen = false
        }
    }

    /// Moves the clock, fills the disk, takes the provider away, and crashes servers at any moment.
    private func weather() async {
        var start = world.clock.now
        while phase.isOpen {
            await world.pause(5 + world.below(30))
            if world.clock.latest.timeIntervalSince(start) < Self.longest, world.happens(.clockForward) {
                world.clock.advance(by: [1, 6, 16, 61, 601, 3_600][world.below(6)])
            }
            if world.happens(.clockBack) { world.clock.advance(by: -[1, 5, 60, 1_200][world.below(4)]) }
            if world.requestsUnderWay == 0, world.happens(.night) {
                world.nights += 1
                world.clock.advance(by: 25 * 3_600)
                start = world.clock.now
            }
            if world.happens(.crashAnytime) { fleet.crashOne() }
            if world.happens(.fullDisk) {
                world.isDiskFull = true
                await world.pause(world.below(40))
                world.isDiskFull = false
            }
            if world.happens(.providerAway) {
                world.isProviderAway = true
                await world.pause(world.below(60))
                world.isProviderAway = false
            }
        }
    }

    /// The background work of one server: settlement, expired holds, imports, events, webhooks, mails, expired answers.
    private func keepHouse(_ number: Int) async {
        while phase.isOpen {
            await world.pause(10 + world.below(60))
            guard let server = await fleet.server(number) else { continue }
            do {
                switch world.below(10) {
                case 0...1: try await settle(on: server)
                case 2...3: try await server.holds.release()
                case 4:
                    let before = server.environment.time.now.addingTimeInterval(-Idempotency.lifetime)
                    _ = try await server.store.write { try $0.idempotency.purge(before: before, limit: 100) }
                case 5...6: for consumer in server.consumers { try await consumer.run() }
                case 7: try await server.mails.run()
                case 8: _ = try await server.sendWebhooks()
                default: _ = try await resumeImport(on: server)
                }
            } catch { explain(error) }
        }
    }

    @discardableResult
    private func settle(on server: Server) async throws -> Int {
        let settled = try await server.checkout.settlement.settleAll(atOnce: 4) { id, error in
            world.tell("settling \(id) fails: \(error)")
            explain(error)
        }
        if settled > 0 { world.count("settled", settled) }
        return settled
    }

    private func resumeImport(on server: Server) async throws -> Bool {
        try await SimulatedDatabase.$purpose.withValue(.stock) {
            do {
                return try await server.imports.resume()
            } catch let failure as ImportFailed {
                world.tell("the import \(failure.importId) fails: \(failure.cause)")
                world.count("failed imports")
                world.expect(failure.cause, in: "an import")
                return true
            }
        }
    }

    private func explain(_ error: any Error) {
        if !(error is PaymentProviderError) { world.expect(error, in: "background work") }
    }

    // MARK: The recovery
    /// Restarts the servers and lets the time pass until all work has ended.
    private func recover() async throws {
        world.calm()
        world.tell("the faults end")
        if world.chance(50) { fleet.crashAll() }
        for _ in 0..<10 {
            // Beyond holds, the patience of the settlement, and leases and abandonment of imports.
            world.clock.pass(1_200)
            var isQuiet = world.underWay == 0
            for number in 0..<2 {
                guard let server = await fleet.server(number) else { continue }
                try await server.holds.release()
                if try await settle(on: server) > 0 { isQuiet = false }
                while try await resumeImport(on: server) { isQuiet = false }
                for consumer in server.consumers { try await consumer.run() }
            }
            while world.underWay > 0 { await world.pause() }
            if isQuiet { break }
        }
        for buyer in buyers { try await resume(buyer) }
        for client in buyers.map(\.client) + [merchant.client] { await client.repeatAll() }
    }

    /// Lets the time pass until no mail and no webhook waits. What has failed some times waits for hours.
    private func tellOutside() async throws {
        for _ in 0..<80 {
            guard let server = await fleet.server() else { continue }
            for consumer in server.consumers { try await consumer.run() }
            try await server.mails.run()
            while try await server.sendWebhooks() {}
            let due = try await server.store.read { repositories in
                [try repositories.mails.nextDue(), try repositories.webhooks.nextDue(except: [])].compactMap(\.self)
                    .min()
            }
            guard let due else { return }
            world.clock.pass(max(60, due.timeIntervalSince(world.clock.latest)))
        }
        world.violation("Mails or webhooks wait without an end.")
    }

    /// Signs in a buyer whose sign-up took effect without an answer.
    private func resume(_ buyer: Buyer) async throws {
        guard let principal = buyer.client.principal, let server = await fleet.server() else { return }
        let session = try await server.store.read { try $0.sessions.session(id: principal.sessionId, locking: false) }
        if session?.endedAt != nil { await buyer.signUp() }
    }
}
