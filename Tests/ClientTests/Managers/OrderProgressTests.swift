import ClientTesting
import PouchData
import PouchEntities
import PouchManagers
import PouchTesting
import Testing

/// Orders after their purchase, for programs without coordinators.
@Suite(.timeLimit(.minutes(5)))
struct OrderProgressTests {
    private let shop = TestShop(sellsAnySKU: true)
    private let clock = ManualClock()
    private let pouch: ManagersUnderTest

    init() throws { pouch = try ManagersUnderTest(over: shop, as: .ada) }

    private func put(_ order: Order...) { shop.change { $0.orders[Shopper.ada.owner] = order } }

    private func deliveries(rides: Bool = true, includesEarlier: Bool = true) -> AsyncStream<DeliveryProgress> {
        pouch.orders.watchDeliveries(
            bought: pouch.checkout.purchases(), rides: rides ? pouch.rides : nil, over: pouch.connection,
            includesEarlier: includesEarlier, clock: clock)
    }

    // MARK: An order whose payment is being settled

    @Test func `an order is read at once, then at intervals until its payment is settled`() async throws {
        put(Fixture.order(status: .pending))
        var states = pouch.orders.follow("ord_1", every: .seconds(3), clock: clock).makeAsyncIterator()
        #expect(await states.next()?.value?.status == .pending)
        await clock.advance(by: .seconds(2))
        #expect(shop.requests(to: Contract.order).count == 1)
        put(Fixture.order(status: .paid))
        clock.pass(.seconds(1))
        #expect(await states.next()?.value?.status == .paid)
        #expect(await states.next() == nil)
        #expect(shop.requests(to: Contract.order).count == 2)
    }

    @Test func `a known order is read after an interval, and a failed call keeps it`() async throws {
        let known = Fixture.order(status: .pending)
        put(known)
        shop.connection = .down
        var states = pouch.orders.follow("ord_1", known: known, every: .seconds(3), clock: clock).makeAsyncIterator()
        #expect(await clock.sleepers() == .seconds(3))
        #expect(shop.requests.isEmpty)
        clock.pass(.seconds(3))
        let failed = await states.next()
        #expect(failed?.value == known && failed?.failure?.reason == .unreachable)
        shop.connection = .up
        await clock.advance(by: .seconds(3))
        let read = await states.next()
        #expect(read?.value == known && read?.failure == nil)
    }

    @Test(arguments: [
        (ProblemCode.notFound, DataError.Reason.notFound), (.invalidQuery, .unexpected(code: "invalid_query")),
    ])
    func `an order that the shop refuses ends with the failure`(code: ProblemCode, reason: DataError.Reason) async {
        shop.answer(Contract.order) { _ in .problem(code) }
        var states = pouch.orders.follow("ord_1", clock: clock).makeAsyncIterator()
        #expect(await states.next()?.failure?.reason == reason)
        #expect(await states.next() == nil)
    }

    @Test func `an order that is no longer followed is no longer read`() async throws {
        put(Fixture.order(status: .pending))
        let following = Task { [pouch, clock] in
            for await _ in pouch.orders.follow("ord_1", clock: clock) {}
        }
        await clock.sleepers()
        following.cancel()
        await following.value
        try await eventually { clock.sleeperCount == 0 }
        clock.pass(.seconds(60))
        #expect(shop.requests(to: Contract.order).count == 1)
    }

    // MARK: Deliveries

    @Test func `each step of an earlier order and of a new one is reported once`() async throws {
        put(Fixture.order(id: "ord_0", rideId: "rid_0"))
        shop.put(Ride.sample(.accepted, id: "rid_0"))
        var steps = deliveries().makeAsyncIterator()
        let earlier = try await shop.rideStream()
        earlier.send(status: Ride.sample(.inProgress, id: "rid_0"))
        let pickedUp = await steps.next()
        #expect(pickedUp?.order.id == "ord_0" && pickedUp?.step == .pickedUp(Ride.sample(.inProgress, id: "rid_0")))

        shop.change { $0.rideId = "rid_1" }
        shop.put(Ride.sample(.requested))
        let cart = try await pouch.fillCart("rosa-1")
        _ = try await pouch.checkout.pay(for: cart, with: .card(token: "tok_ok"))
        try await shop.rideStream(1).send(status: Ride.sample(.accepted))
        let accepted = await steps.next()
        #expect(accepted?.order.id == "ord_1" && accepted?.step == .accepted(Ride.sample(.accepted)))
        put(Fixture.order(id: "ord_0", status: .delivered, rideId: "rid_0"))
        earlier.send(status: Ride.sample(.completed, id: "rid_0"))
        let delivered = await steps.next()
        #expect(delivered?.order.id == "ord_0" && delivered?.step == .delivered)
    }

    @Test func `without rides the order is read at intervals, and a failed delivery is a step`() async throws {
        put(Fixture.order(rideId: "rid_1"))
        var steps = deliveries(rides: false).makeAsyncIterator()
        await clock.sleepers()
        let failure = DeliveryFailure(reason: .noKangaroo, methods: [ShippingMethod.sample()])
        put(Fixture.order(status: .fulfilled, rideId: "rid_1"))
        await clock.advance(by: .seconds(5))
        #expect(await steps.next()?.step == .pickedUp(nil))
        put(Fixture.order(status: .fulfilled, rideId: "rid_1", deliveryFailure: failure))
        await clock.advance(by: .seconds(5))
        #expect(await steps.next()?.step == .failed(failure))
        try await eventually { clock.sleeperCount == 0 }
        #expect(shop.requests(to: Contract.ride).isEmpty && shop.rideStreams.isEmpty)
    }

    @Test func `a session without earlier orders does not ask for them`() async throws {
        put(Fixture.order(rideId: "rid_0"))
        shop.change { $0.rideId = "rid_1" }
        shop.put(Ride.sample(.requested))
        var steps = deliveries(includesEarlier: false).makeAsyncIterator()
        let cart = try await pouch.fillCart("rosa-1")
        _ = try await pouch.checkout.pay(for: cart, with: .card(token: "tok_ok"))
        try await shop.rideStream().send(status: Ride.sample(.accepted))
        #expect(await steps.next()?.order.rideId == "rid_1")
        #expect(shop.requests(to: Contract.orders).count == 0)
    }

    @Test func `two streams watch an order one after the other, and the second continues where it is`() async throws {
        put(Fixture.order(rideId: "rid_1"))
        shop.put(Ride.sample(.requested))
        let (first, reported) = AsyncStream.makeStream(of: DeliveryProgress.self)
        let watching = Task { [deliveries = deliveries()] in
            for await step in deliveries { reported.yield(step) }
        }
        let connection = try await shop.rideStream()
        var second = deliveries().makeAsyncIterator()
        try await eventually { shop.requests(to: Contract.orders).count == 2 }
        connection.send(status: Ride.sample(.accepted))
        var steps = first.makeAsyncIterator()
        #expect(await steps.next()?.step == .accepted(Ride.sample(.accepted)))
        shop.put(Ride.sample(.accepted))
        watching.cancel()
        await connection.waitForEnd()
        try await shop.rideStream(1).send(status: Ride.sample(.inProgress))
        #expect(await second.next()?.step == .pickedUp(Ride.sample(.inProgress)))
        #expect(shop.rideStreams.count { !$0.hasEnded } == 1)
    }

    @Test(arguments: [true, false])
    func `after a stream stops offline, the next reports only the steps since`(_ isDelivered: Bool) async throws {
        put(Fixture.order(rideId: "rid_1"))
        let watching = Task { [deliveries = deliveries(rides: false)] in for await _ in deliveries {} }
        await clock.sleepers()
        var second = deliveries(rides: false).makeAsyncIterator()
        try await eventually { shop.requests(to: Contract.orders).count == 2 }
        put(Fixture.order(status: .fulfilled, rideId: "rid_1"))
        await clock.advance(by: .seconds(5))
        await clock.sleepers()
        shop.connection = .down
        await clock.advance(by: .seconds(5))
        try await eventually { pouch.connection.connection == .offline }
        await clock.sleepers()
        watching.cancel()
        await watching.value
        await clock.advance(by: .seconds(5))
        await clock.sleepers()
        if isDelivered { put(Fixture.order(status: .delivered, rideId: "rid_1")) }
        shop.connection = .up
        await clock.advance(by: .seconds(5))
        if !isDelivered {
            await clock.sleepers()
            put(Fixture.order(status: .delivered, rideId: "rid_1"))
            await clock.advance(by: .seconds(5))
        }
        #expect(await second.next()?.step == .delivered)
    }

    // MARK: Purchases without an outcome

    /// A device on which a purchase was left open.
    private func device(isOrdered: Bool) async throws -> ManagersUnderTest {
        let store = MemoryStore()
        let before = try ManagersUnderTest(over: shop, as: .ada, local: store)
        let cart = try await before.fillCart("rosa-1", quantity: 2)
        shop.connection = isOrdered ? .losesAnswers : .losesRequests
        await #expect(throws: DataError.self) { try await before.checkout.pay(for: cart, with: .card(token: "tok_ok")) }
        shop.connection = .up
        return try ManagersUnderTest(over: shop, as: .ada, local: store, clock: clock)
    }

    /// The number of the order with which a purchase was settled.
    private func number(of settlement: PurchaseSettlement?) -> String? {
        if case .bought(let order)? = settlement?.outcome { order.number } else { nil }
    }

    @Test(arguments: [true, false])
    func `a purchase that was left open is settled once, by one of two streams`(_ isOrdered: Bool) async throws {
        let pouch = try await device(isOrdered: isOrdered)
        let outcomes = await withTaskGroup(of: [PurchaseSettlement].self) { group in
            for _ in 0..<2 {
                group.addTask {
                    await pouch.checkout.settlements(over: pouch.connection).reduce(into: []) { $0.append($1) }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(outcomes.map { number(of: $0) } == ["P-1"] && outcomes.first?.purchase.total == Fixture.euros(2500))
        #expect(shop.effects.count { $0.hasPrefix("order ") } == 1)
    }

    @Test func `a purchase that stays open is reported at the first attempt, and with its outcome`() async throws {
        let pouch = try await device(isOrdered: true)
        shop.connection = .down
        var settlements = pouch.checkout.settlements(over: pouch.connection).makeAsyncIterator()
        #expect(await settlements.next()?.outcome == .open)
        shop.connection = .up
        // The attempt to reach the shop, and the interval.
        await clock.tick(2)
        #expect(await number(of: settlements.next()) == "P-1")
        #expect(await settlements.next() == nil)
    }

    @Test func `a purchase about which the shop cannot say yet is asked about at intervals`() async throws {
        let pouch = try await device(isOrdered: true)
        shop.failNext(Contract.checkout, with: .problem(.idempotencyKeyInUse))
        var settlements = pouch.checkout.settlements(over: pouch.connection).makeAsyncIterator()
        #expect(await settlements.next()?.outcome == .open)
        #expect(pouch.connection.connection == .online)
        await clock.advance(by: .seconds(30))
        #expect(await number(of: settlements.next()) == "P-1")
        #expect(await settlements.next() == nil)
    }

    @Test func `a purchase that the shop refuses was not made, and leaves nothing to settle`() async throws {
        let pouch = try await device(isOrdered: false)
        shop.answer(Contract.checkout) { _ in .problem(.paymentDeclined) }
        var settlements = pouch.checkout.settlements(over: pouch.connection).makeAsyncIterator()
        guard case .refused(let error) = await settlements.next()?.outcome else { throw CancellationError() }
        #expect(error.reason == .paymentDeclined(code: nil))
        #expect(await settlements.next() == nil)
        var later = pouch.checkout.settlements(over: pouch.connection).makeAsyncIterator()
        #expect(await later.next() == nil)
    }
}
