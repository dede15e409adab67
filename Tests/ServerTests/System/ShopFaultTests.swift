import PouchPostgres
import ServerTesting
import Testing

@Suite("Faults under a running shop", .timeLimit(.minutes(5)), .inShop([.stocked("cap", stock: 20)]))
struct ShopFaultTests {
    private let shop = TestShop.current

    @Test func `A clock that is set back by a day stops nothing`() async throws {
        let (customer, guest) = (try await shop.customer(), try await shop.guest())
        let before = try await customer.order()
        let lost = try await guest.buyNow(card: "tok_lost").good()
        #expect(lost.status == .pending)
        shop.clock.advance(by: -86_400)
        try await eventually { try await guest.order(id: lost.id).status == .paid }

        try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).good()
        #expect(try await customer.order(id: before.id).status == .paid)
        for buyer in [customer, guest] { #expect(try await buyer.order().status == .paid) }
        try await customer.cancel(before.id).good()
        try await shop.caller(shop.refresh(customer.refreshToken).good()).profile().good()
        _ = try await shop.signIn()
        try await customer.cancelRide(customer.requestRide().good().id).good()
        try await shop.stock([.stocked("hat", stock: 3)])
        try await eventually { try await shop.available("hat") == 3 }

        // A payment without an answer is settled as usual.
        let open = try await customer.buyNow(card: "tok_lost").good()
        #expect(open.status == .pending)
        shop.clock.advance(by: OrderSettlement.gracePeriod)
        try await eventually { try await customer.order(id: open.id).status == .paid }
    }

    @Test(.enabled(if: !TestDatabase.isPostgres))
    func `A database whose file is gone acknowledges nothing until it is back`() async throws {
        guard case .sqlite(let path) = shop.configuration.database else { return }
        let buyer = try await shop.customer()
        let bought = try await buyer.buyNow().good()
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        let refused = try await buyer.buyNow(key: "one")
        try refused.problem(.unavailable)
        #expect(refused.header(HeaderName.retryAfter) == "1")
        try await shop.anyone.send("GET", "/health/ready").problem(.unavailable)
        #expect(try await shop.anyone.send("GET", "/health/live").status == 200)
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        try await eventually { try await shop.anyone.call(Contract.healthReady).status == 200 }
        let second = try await buyer.buyNow(key: "one").good()
        #expect(try await Set(buyer.orders().map(\.id)) == [bought.id, second.id])
        #expect(try await shop.charges() == 2)
    }
}

@Suite("Overload", .timeLimit(.minutes(5)))
struct OverloadTests {
    /// Counts the refused requests and checks their Retry-After.
    private func refused<Value>(_ answers: [Answered<Value>], expected status: Int) throws -> Int {
        for answer in answers where answer.status != status {
            try answer.problem(.overloaded)
            #expect(answer.header(HeaderName.retryAfter).flatMap(Int.init) ?? 0 > 0)
        }
        return answers.count { $0.status != status }
    }

    @Test(.inShop([], configure: { $0.passwordCost = .init(log2N: 12, blockSize: 8, parallelism: 1) }))
    func `A rush of sign-ups is served up to the bound; the rest are asked to retry`() async throws {
        let shop = TestShop.current
        let answers = try await parallel(300) { try await shop.anyone.signUp("ada-\($0)@example.com") }
        let count = try refused(answers, expected: 201)
        #expect((1..<300).contains(count))
        #expect(try await shop.rows("SELECT 1 FROM accounts").count == 300 - count)
        let index = try #require(answers.firstIndex { $0.status == 503 })
        try await shop.anyone.signUp("ada-\(index)@example.com").good()
    }

    @Test(
        .enabled(if: TestDatabase.isPostgres),
        .inShop([.stocked("cap", stock: 100)], runsJobs: false) { configuration in
            guard case .postgres(var address) = configuration.database else { return }
            (address.connections, address.waitingBound, address.waitingTime) = (2, 10, .seconds(5))
            configuration.database = .postgres(address)
        })
    func `Requests beyond the bound of waiting transactions, or that wait too long, are asked to retry`() async throws {
        let shop = TestShop.current
        let buyer = try await shop.guest()
        let release = DispatchSemaphore(value: 0)
        // The rows are locked, so two purchases hold both connections.
        let database = try shop.configuration.database.connect()
        let holder = await database.hold(until: release) {
            try $0.run("LOCK TABLE stock IN ACCESS EXCLUSIVE MODE", [])
        }
        let (answers, received) = AsyncThrowingStream<Answered<Order>, any Error>.makeStream()
        let requests = (0..<20).map { _ in
            Task { do { received.yield(try await buyer.buyNow()) } catch { received.finish(throwing: error) } }
        }
        var count = 0
        for try await answer in answers {
            count += try refused([answer], expected: 201)
            if count == 18 { break }
        }
        release.signal()
        try await holder.value
        try await database.close()
        for request in requests { await request.value }
        let sold = 100 - (try #require(try await shop.available("cap")))
        #expect(sold <= 2)
        try await buyer.buyNow().good()
        #expect(try await shop.available("cap") == 99 - sold)
    }
}
