import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchPersistence
import PouchService
import PouchTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CheckoutManagerTests {
    private let signedIn = MemorySessionStore(Fixture.data(Fixture.session()))
    private let shop = TestShop(sellsAnySKU: true)
    private let card = PaymentMethod.card(token: "tok_ok")

    /// Each purchase gets the next of these answers.
    private func purchases(
        _ answers: [Result<NetworkResponse, NetworkError>]
    ) throws -> (managers: ManagersUnderTest, keys: @Sendable () -> [String?]) {
        let keys = Counter()
        let transport = RecordingTransport(answers)
        let managers = try ManagersUnderTest(
            over: transport, store: signedIn, makeKey: { "key-\(keys.increment())" })
        return (managers, { transport.requests.map { $0.headers["Idempotency-Key"] } })
    }

    @Test func `a purchase has the same key after a lost answer, and a new one after a clear answer`() async throws {
        let order = NetworkResponse.json(Fixture.order(), status: 201)
        let answers: [Result<NetworkResponse, NetworkError>] = [
            .failure(.timedOut), .success(.problem(.internalError)), .success(order),
            .success(.problem(.paymentDeclined)), .success(order),
        ]
        let (managers, keys) = try purchases(answers)
        for answer in answers {
            let error = await thrownError { try await managers.checkout.pay(for: Fixture.cart(), with: card) }
            #expect((error == nil) == (answer == .success(order)))
        }
        #expect(Set(keys().prefix(3)).count == 1 && Set(keys()).count == 3)
    }

    @Test func `another cart, total, card or e-mail address is another purchase`() async throws {
        let (managers, keys) = try purchases(Array(repeating: .failure(.timedOut), count: 5))
        let attempts: [(Cart, PaymentMethod, String?)] = [
            (Fixture.cart(), card, nil), (Fixture.cart(version: 2), card, nil), (Fixture.cart(total: 1), card, nil),
            (Fixture.cart(), .card(token: "tok_slow"), nil), (Fixture.cart(), card, "ada@example.org"),
        ]
        for (cart, card, email) in attempts {
            #expect(await thrownError { try await managers.checkout.pay(for: cart, with: card, email: email) } != nil)
        }
        #expect(Set(keys()).count == attempts.count)
    }

    @Test func `the shown total is sent, and the bought cart is dropped`() async throws {
        let transport = RecordingTransport { request in
            request.method == "GET" ? .json(Fixture.cart(total: 4299)) : .json(Fixture.order(), status: 201)
        }
        let managers = try ManagersUnderTest(over: transport, store: signedIn)
        let cart = try await managers.cart.refresh()
        _ = try await managers.checkout.pay(for: cart, with: card)
        let total = #"{"amount":4299,"currency":"EUR"}"#
        #expect(
            transport.requests.last?.bodyText
                == #"{"expectedTotal":\#(total),"paymentMethod":{"token":"tok_ok","type":"card"}}"#)
        #expect(managers.cart.state == nil)
    }

    @Test func `buying without the cart keeps its key over lost answers, and leaves the cart unchanged`() async throws {
        let (managers, keys) = try purchases([
            .success(.json(Fixture.cart())), .failure(.connectionLost("test")),
            .success(.json(Fixture.order(status: .pending), status: 201)),
        ])
        try await managers.cart.refresh()
        let draft = OrderDraft(lines: [.init(sku: "a", quantity: 1)])
        #expect(await thrownError { try await managers.checkout.buy(draft, for: Fixture.euros(5), with: card) } != nil)
        #expect(try await managers.checkout.buy(draft, for: Fixture.euros(5), with: card).status == .pending)
        #expect(keys().suffix(2) == ["key-1", "key-1"])
        #expect(managers.cart.state != nil)
    }

    @Test func `a cart that was requested before the purchase and arrives after it is ignored`() async throws {
        let slow = Gate()
        let transport = StubTransport { [order = Fixture.order()] request in
            guard request.method == "GET" else { return .json(order, status: 201) }
            await slow.pass()
            return .json(Fixture.cart())
        }
        let managers = try ManagersUnderTest(over: transport, store: signedIn)
        async let late = managers.cart.refresh()
        await slow.held(1)
        _ = try await managers.checkout.pay(for: Fixture.cart(), with: card)
        slow.open()
        #expect(try await late == Fixture.cart())
        #expect(managers.cart.state == nil)
    }

    // MARK: Without a clear outcome

    @Test func `a purchase that an earlier process left open is resumed as it was, and happens once`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("store.sqlite")
        do {
            let store = try await SQLiteStore.open(at: file)
            let managers = try ManagersUnderTest(over: shop, as: .ada, local: store)
            let cart = try await managers.fillCart("a")
            shop.connection = .losesAnswers
            await #expect(throws: DataError.self) { _ = try await managers.checkout.pay(for: cart, with: card) }
            try await store.close()
        }
        shop.connection = .up
        let store = try await SQLiteStore.open(at: file)
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: store)
        let unresolved = try await managers.checkout.unresolved()
        #expect(unresolved.map(\.total) == [Fixture.euros(1500)] && unresolved.map(\.canResume) == [true])
        #expect(unresolved.map(\.startedAt) == [Date.sample])
        let order = try await managers.checkout.resume(try #require(unresolved.first))
        #expect(order.id == "ord_1")
        #expect(shop.effects == ["add a 1", "ship standard", "order ord_1"])
        let tries = shop.requests.filter { $0.url.path() == "/v1/cart/checkout" }
        #expect(tries.count == 2 && tries[0].body == tries[1].body)
        #expect(tries[0].headers["Idempotency-Key"] == tries[1].headers["Idempotency-Key"])
        #expect(try await managers.checkout.unresolved().isEmpty)
        #expect(try await managers.orders.knownOrder(id: "ord_1") == order)
        try await store.close()
    }

    @Test func `only an error that leaves a purchase open carries the purchase`() async throws {
        let (managers, keys) = try purchases([
            .failure(.connectionLost("test")), .success(.json(Fixture.order(), status: 201)),
            .success(.problem(.paymentProviderError)),
        ])
        let error = await thrownError { try await managers.checkout.pay(for: Fixture.cart(), with: card) }
        #expect(error?.errorDescription == "The connection to the server was lost. The purchase may have gone through.")
        let purchase = try #require(error?.openPurchase)
        #expect(try await managers.checkout.unresolved() == [purchase])
        _ = try await managers.checkout.resume(purchase)
        #expect(keys() == ["key-1", "key-1"])
        let refusal = await thrownError { try await managers.checkout.pay(for: Fixture.cart(), with: card) }
        #expect(refusal?.openPurchase == nil && refusal?.errorDescription?.contains("may have gone through") == false)
    }

    @Test func `an unresolved purchase is listed for its owner only, and can be given up`() async throws {
        let store = MemoryStore()
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: store)
        let cart = try await managers.fillCart("a")
        shop.connection = .losesAnswers
        await #expect(throws: DataError.self) { _ = try await managers.checkout.pay(for: cart, with: card) }
        #expect(try await ManagersUnderTest(over: shop, as: .bea, local: store).checkout.unresolved().isEmpty)
        try await managers.checkout.discard(try #require(try await managers.checkout.unresolved().first))
        #expect(try await managers.checkout.unresolved().isEmpty)
    }

    @Test func `unconfirmed edits are sent before the cart is paid`() async throws {
        let store = await MemoryStore.holding("b")
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: ManualClock())
        _ = try await managers.fillCart("a")
        shop.connection = .down
        let estimate = try await managers.cart.add(sku: "b")
        #expect(await thrownReason { try await managers.checkout.pay(for: estimate, with: card) } == .unreachable)
        #expect(try await managers.checkout.unresolved().isEmpty)
        shop.connection = .up
        _ = try await managers.checkout.pay(for: estimate, with: card)
        #expect(shop.effects == ["add a 1", "ship standard", "add b 1", "order ord_1"])
        #expect(managers.cart.state == nil)
        #expect(await store.cart(of: Shopper.ada.owner) == nil)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct OrderManagerTests {
    private let shop = TestShop(sellsAnySKU: true)
    private let store = MemoryStore()

    /// A defect of the original system: a failure looked like "no data".
    @Test func `known orders are available offline, and a missing server is not an empty list`() async throws {
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: store)
        let cart = try await managers.fillCart("a")
        let order = try await managers.checkout.pay(for: cart, with: .card(token: "tok_ok"))
        #expect(try await managers.orders.orders().items == [order])
        shop.connection = .down
        #expect(await thrownReason { try await managers.orders.orders() } == .unreachable)
        #expect(try await managers.orders.knownOrders().items == [order])
        #expect(try await managers.orders.knownOrder(id: order.id) == order)
        #expect(try await managers.orders.knownOrder(id: "ord_unseen") == nil)
        #expect(try await ManagersUnderTest(over: shop, as: .bea, local: store).orders.knownOrders().items.isEmpty)
        let signedOut = try ManagersUnderTest(over: shop, local: store)
        await #expect(throws: DataError.self) { try await signedOut.orders.knownOrders() }
    }

    @Test func `a cancelled order is stored as cancelled`() async throws {
        shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: store)
        _ = try await managers.orders.order(id: "ord_1")
        #expect(try await managers.orders.knownOrder(id: "ord_1")?.status == .paid)
        _ = try await managers.orders.cancel(id: "ord_1")
        #expect(try await managers.orders.knownOrder(id: "ord_1")?.status == .cancelled)
    }

    @Test func `orders that arrive after another sign-in are not stored for the new session`() async throws {
        shop.change { $0.orders[Shopper.ada.owner] = [Fixture.order()] }
        let slow = shop.hold(Contract.orders)
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: store)
        async let orders = managers.orders.orders()
        await slow.held(1)
        try await managers.account.signIn(email: "bea@example.org", password: "12345678")
        slow.open()
        #expect(try await orders.items.map(\.id) == ["ord_1"])
        for shopper in [Shopper.ada, .bea] { #expect(await store.order(id: "ord_1", of: shopper.owner) == nil) }
    }

    @Test func `another delivery method that the order offers is chosen and stored`() async throws {
        let transport = RecordingTransport { request in
            request.method == "PUT" ? .json(Fixture.order(shipping: nil)) : .problem(.deliverySettled)
        }
        let managers = try ManagersUnderTest(over: transport, as: .ada, local: store)
        let order = try await managers.orders.changeDelivery(of: "ord_1", methodId: "standard")
        #expect(transport.requests.map { $0.url.path() } == ["/v1/orders/ord_1/shipping"])
        #expect(transport.requests.first?.body == Data(#"{"methodId":"standard"}"#.utf8))
        #expect(try await managers.orders.knownOrder(id: "ord_1") == order)
    }
}
