import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import PouchTesting
import Testing

/// Writes of which nothing was sent: they were not made, nothing makes them later, and the error says so.
@Suite(.timeLimit(.minutes(5)))
struct UnsentWriteTests {
    private let shop = TestShop(sellsAnySKU: true)
    private let store = MemoryStore()
    private let card = PaymentMethod.card(token: "tok_ok")
    private let draft = OrderDraft(lines: [.init(sku: "a", quantity: 1)], address: .sample(), methodId: "standard")

    init() async { await store.merge(["a", "b"].map { Fixture.product(sku: $0) }) }

    private func managers(_ now: Date = Date.sample) throws -> ManagersUnderTest {
        try ManagersUnderTest(over: shop, as: .ada, local: store, clock: ManualClock(), now: { now })
    }

    @Test(arguments: [NetworkError.unreachable("x"), .untrusted("x"), .noTLS("x"), .invalidAddress, .notSent("x")])
    func `a purchase that was not sent is not open, is never made, and says so`(_ failure: NetworkError) async throws {
        let first = try managers()
        let cart = try await first.fillCart("a")
        shop.failNext(Contract.checkout, with: .network(failure))
        let error = await error(of: first, buying: cart)
        #expect(error?.openPurchase == nil && error?.mayHaveTakenEffect == false)
        #expect(error?.errorDescription?.contains("may have gone through") == false)
        if failure == .unreachable("x") {
            #expect(error?.errorDescription == "The server cannot be reached. Nothing was sent.")
            #expect(error?.recoverySuggestion == "Check the connection, then try again.")
        }
        #expect(await store.pendingWrites(of: Shopper.ada.owner).isEmpty)
        let later = try managers()
        #expect(await later.checkout.settlements(over: later.connection).reduce(into: []) { $0.append($1) }.isEmpty)
        #expect(!shop.effects.contains { $0.hasPrefix("order") })
    }

    private static let lost = Result<NetworkResponse, NetworkError>.failure(.timedOut)
    private static let away = Result<NetworkResponse, NetworkError>.failure(.unreachable("x"))
    private static let busy = Result<NetworkResponse, NetworkError>.success(.problem(.unavailable))
    private static let declined = Result<NetworkResponse, NetworkError>.success(.problem(.paymentDeclined))
    private static let forbidden = Result<NetworkResponse, NetworkError>.success(.problem(.forbidden))

    @Test(arguments: [
        ([away, away, away], false), ([lost, away, away], true), ([away, lost, away], true),
        ([busy, away, away], true),
        ([away, away, declined], false), ([lost, declined], false), ([lost, forbidden], true),
        ([away, forbidden], false),
    ])
    func `a purchase is open if any of its attempts may have arrived`(
        _ attempts: [Result<NetworkResponse, NetworkError>], _ isOpen: Bool
    ) async throws {
        let transport = RecordingTransport(attempts)
        var retries = RetryPolicy(attempts: 3, deadline: nil)
        retries.jitter = { _ in .zero }
        let service = try makeService(
            over: transport, store: MemorySessionStore(Fixture.data(Fixture.session())), retries: retries)
        let data = DataManager(service: service, store: store, now: { Date.sample })
        let error = await #expect(throws: DataError.self) {
            try await data.checkout(Fixture.cart(), paymentMethod: card, expectedTotal: Fixture.euros(1), email: nil)
        }
        #expect(transport.requests.count == attempts.count)
        #expect(error?.mayHaveTakenEffect == isOpen && (error?.openPurchase != nil) == isOpen)
        #expect(await store.pendingWrites(of: "acc_1").isEmpty == !isOpen)
    }

    @Test func `a purchase whose session cannot be refreshed was never sent`() async throws {
        shop.answer(Contract.refreshSession) { _ throws(NetworkError) in throw .timedOut }
        let expired = MemorySessionStore(Fixture.data(Fixture.session(expiresIn: -1)))
        let managers = try ManagersUnderTest(over: shop, store: expired, local: store)
        let error = await thrownError { try await managers.checkout.pay(for: Fixture.cart(), with: card) }
        #expect(error?.reason == .timedOut && error?.mayHaveTakenEffect == false)
        #expect(error?.errorDescription == "The server did not answer in time. Nothing was sent.")
        #expect(shop.requests(to: Contract.checkout).isEmpty)
        #expect(try await managers.checkout.unresolved().isEmpty)
    }

    @Test func `a purchase that may have been made stays open when a later try finds no connection`() async throws {
        let first = try managers()
        let cart = try await first.fillCart("a")
        for failure in [TestShop.Failure.lostAnswer, .network(.unreachable("x"))] {
            shop.failNext(Contract.checkout, with: failure)
            let error = await error(of: first, buying: cart)
            #expect(error?.openPurchase != nil)
        }
        let later = try managers()
        let settled = await later.checkout.settlements(over: later.connection).reduce(into: []) { $0.append($1) }
        guard case .bought(let order)? = settled.first?.outcome else { throw CancellationError() }
        #expect(order.id == "ord_1" && shop.effects.count { $0.hasPrefix("order") } == 1)
    }

    @Test func `of two tries at once, the one that was never sent does not forget the other`() async throws {
        let managers = try managers()
        let cart = try await managers.fillCart("a")
        for failure in [NetworkError.unreachable("x"), .timedOut] {
            shop.failNext(Contract.checkout, with: .network(failure))
        }
        let gate = shop.hold(Contract.checkout)
        async let first = error(of: managers, buying: cart)
        await gate.held(1)
        async let second = error(of: managers, buying: cart)
        await gate.held(2)
        gate.open()
        for error in await [first, second] { #expect(error?.openPurchase != nil) }
        #expect(try await managers.checkout.unresolved().count == 1)
    }

    @Test(arguments: [nil, "mine"] as [String?])
    func `of two processes, one that sent nothing does not forget the other's purchase`(_ key: String?) async throws {
        let gate = Gate()
        let away = StubTransport { [shop] request throws(NetworkError) in
            guard request.url.path() == "/v1/cart/checkout" else { return try await shop.response(to: request) }
            await gate.pass()
            throw .unreachable("x")
        }
        let first = try ManagersUnderTest(over: away, as: .ada, local: store, clock: ManualClock())
        let second = try managers()
        let cart = try await second.fillCart("a")
        async let unsent = error(of: first, buying: cart, key: key)
        await gate.held(1)
        shop.failNext(Contract.checkout, with: .lostAnswer)
        let lost = await error(of: second, buying: cart, key: key)
        gate.open()
        for error in await [unsent, lost] { #expect(error?.openPurchase != nil) }
        let open = try #require(try await second.checkout.unresolved().first)
        #expect(try await second.checkout.resume(open).id == "ord_1")
        #expect(shop.effects.filter { $0.hasPrefix("order") } == ["order ord_1"])
        #expect(await store.pendingWrites(of: Shopper.ada.owner).isEmpty)
    }

    @Test func `an open purchase shows in the error of a later try of which nothing was sent`() async throws {
        let managers = try managers()
        let cart = try await managers.fillCart("a")
        shop.failNext(Contract.checkout, with: .lostAnswer)
        let lost = try #require(await error(of: managers, buying: cart)?.openPurchase)
        shop.connection = .down
        let withOtherCard = await error(of: managers, buying: cart, with: .card(token: "tok_slow"))
        let edited = try await managers.cart.add(sku: "b")
        let afterEdit = await error(of: managers, buying: edited)
        for error in [withOtherCard, afterEdit] {
            #expect(error?.mayHaveTakenEffect == true && error?.openPurchase?.id == lost.id)
            #expect(error?.errorDescription == "The server cannot be reached. The purchase may have gone through.")
        }
        #expect(try await managers.checkout.unresolved().map(\.id) == [lost.id])
    }

    @Test(arguments: [
        (TestShop.Connection.losesAnswers, "The server did not answer in time."),
        (.down, "The server cannot be reached."),
    ])
    func `the error of a purchase does not say that nothing was sent where an edit may have been`(
        _ connection: TestShop.Connection, _ text: String
    ) async throws {
        let managers = try managers()
        _ = try await managers.fillCart("a")
        shop.connection = .losesAnswers
        let edited = try await managers.cart.add(sku: "b")
        shop.connection = connection
        let error = await self.error(of: managers, buying: edited)
        #expect(error?.mayHaveTakenEffect == false && error?.openPurchase == nil)
        #expect(error?.errorDescription == text)
        #expect(try await managers.checkout.unresolved().isEmpty)
    }

    private func error(
        of managers: ManagersUnderTest, buying cart: Cart, with payment: PaymentMethod? = nil, key: String? = nil
    ) async -> DataError? {
        await thrownError { try await managers.checkout.pay(for: cart, with: payment ?? card, key: key) }
    }

    @Test func `a ride request that was never sent is not open`() async throws {
        let rides = try managers().rides
        shop.connection = .down
        let error = await thrownError { try await rides.request(RideWaypoints.sample(), option: "wallaby") }
        #expect(error?.mayHaveTakenEffect == false)
        #expect(try await rides.unresolvedRequests().isEmpty)
        shop.connection = .losesRequests
        await #expect(throws: DataError.self) { _ = try await rides.request(RideWaypoints.sample(), option: "wallaby") }
        #expect(try await rides.unresolvedRequests().count == 1)
    }

    @Test func `an edit that found no connection is sent even days later`() async throws {
        let offline = try managers()
        shop.connection = .down
        try await offline.cart.add(sku: "a")
        #expect(await store.pendingWrites(of: Shopper.ada.owner).map(\.firstSentAt) == [nil])
        shop.connection = .up
        let later = try managers(Date.sample.addingTimeInterval(3 * 86_400))
        try? await later.cart.sendPending()
        try await later.cart.refresh()
        #expect(shop.items() == ["a 1"])
    }

    @Test func `an edit that another process may have sent does not become unsent again`() async throws {
        let first = try managers()
        shop.connection = .down
        try await first.cart.add(sku: "a")
        shop.connection = .losesAnswers
        try? await managers().cart.sendPending()
        shop.connection = .down
        try? await first.cart.sendPending()
        #expect(await store.pendingWrites(of: Shopper.ada.owner).map(\.firstSentAt) == [Date.sample])
        shop.connection = .up
        let later = try managers(Date.sample.addingTimeInterval(3 * 86_400))
        try? await later.cart.sendPending()
        #expect(shop.effects == ["add a 1"])
        #expect(await store.pendingWrites(of: Shopper.ada.owner).isEmpty)
    }

    @Test func `reading cannot leave anything open, and does not ask to check what was saved`() async throws {
        shop.failNext(Contract.orders, with: .network(.timedOut))
        let error = await #expect(throws: DataError.self) { try await managers().orders.orders() }
        #expect(error?.mayHaveTakenEffect == false && error?.recoverySuggestion == "Try again.")
        shop.failNext(Contract.updateProfile, with: .network(.timedOut))
        let write = await #expect(throws: DataError.self) { try await managers().account.updateProfile(name: "Ada") }
        #expect(write?.mayHaveTakenEffect == true)
        #expect(write?.recoverySuggestion == "Check first whether your change was saved, then try again.")
    }

    // MARK: A key of the caller's

    @Test func `a purchase under the caller's own key happens once, also without a lasting store`() async throws {
        let total = try await managers().checkout.preview(draft).totals.total
        var orders: [String] = []
        for connection in [TestShop.Connection.losesAnswers, .up, .up] {
            shop.connection = connection
            // Each process has a store of its own.
            let process = try ManagersUnderTest(over: shop, as: .ada)
            if let order = try? await process.checkout.buy(draft, for: total, with: card, key: "standing-order-1") {
                orders.append(order.id)
            }
        }
        #expect(orders == ["ord_1", "ord_1"])
        #expect(shop.effects == ["order ord_1"])
        let another = try ManagersUnderTest(over: shop, as: .ada)
        #expect(try await another.checkout.buy(draft, for: total, with: card, key: "standing-order-2").id == "ord_2")
    }

    @Test func `offline, a write under the caller's own key may have been made before, and is not kept`() async throws {
        let total = try await managers().checkout.preview(draft).totals.total
        shop.connection = .losesAnswers
        _ = try? await ManagersUnderTest(over: shop, as: .ada).checkout.buy(draft, for: total, with: card, key: "mine")
        shop.connection = .down
        let second = try managers()
        let purchase = await thrownError { try await second.checkout.buy(draft, for: total, with: card, key: "mine") }
        let refund = await #expect(throws: DataError.self) {
            try await second.admin.refund(orderId: "ord_1", RefundDraft(.rest, reason: "late"), key: "refund")
        }
        let guest = try ManagersUnderTest(over: shop)
        let withoutSession = await thrownError {
            try await guest.checkout.buy(draft, for: total, with: card, key: "mine")
        }
        for error in [purchase, refund, withoutSession] {
            #expect(error?.reason == .unreachable && error?.mayHaveTakenEffect == true)
            #expect(error?.openPurchase == nil && error?.errorDescription == "The server cannot be reached.")
        }
        #expect(await store.pendingWrites(of: Shopper.ada.owner).isEmpty)
    }

    @Test func `the key of an open purchase is refused for another one, which stays open`() async throws {
        let managers = try managers()
        let cart = try await managers.fillCart("a")
        shop.failNext(Contract.checkout, with: .network(.timedOut))
        for (token, reason) in [("tok_ok", DataError.Reason.timedOut), ("tok_slow", .keyReused)] {
            let error = await #expect(throws: DataError.self) {
                _ = try await managers.checkout.pay(for: cart, with: .card(token: token), key: "mine")
            }
            #expect(error?.reason == reason)
        }
        #expect(try await managers.checkout.unresolved().map(\.id) == ["mine"])
    }
}
