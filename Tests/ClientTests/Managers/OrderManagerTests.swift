import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchWire
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OrderManagerTests {
    private let store = MemoryStore()

    /// A defect of the system that this one comes from: a failure looked like "no data".
    @Test func `orders that were seen are there offline, and a server that is away is an error, not an empty list`()
        async throws
    {
        let shop = StubShop()
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: store)
        let cart = try await managers.cart.add(sku: "a")
        let order = try await managers.checkout.pay(for: cart, with: .card(token: "tok_ok"))
        #expect(try await managers.orders.orders().items == [order])
        shop.line = .down
        let error = await #expect(throws: DataError.self) { try await managers.orders.orders() }
        #expect(error?.reason == .unreachable)
        #expect(try await managers.orders.knownOrders().items == [order])
        #expect(try await managers.orders.knownOrder(id: order.id) == order)
        #expect(try await managers.orders.knownOrder(id: "ord_unseen") == nil)
        let other = try ManagersUnderTest(over: shop, as: .bea, local: store)
        #expect(try await other.orders.knownOrders().items.isEmpty)
        let nobody = try ManagersUnderTest(over: shop, local: store)
        await #expect(throws: DataError.self) { try await nobody.orders.knownOrders() }
    }

    @Test func `an order that was cancelled is known as cancelled`() async throws {
        let transport = StubTransport { request in
            .json(Fixture.order(status: request.method == "POST" ? .cancelled : .paid))
        }
        let managers = try ManagersUnderTest(over: transport, as: .ada, local: store)
        _ = try await managers.orders.order(id: "ord_1")
        #expect(try await managers.orders.knownOrder(id: "ord_1")?.status == .paid)
        _ = try await managers.orders.cancel(id: "ord_1")
        #expect(try await managers.orders.knownOrder(id: "ord_1")?.status == .cancelled)
    }

    @Test func `orders that arrive after somebody else signed in are not kept as theirs`() async throws {
        let slow = Gate()
        let transport = StubTransport { request in
            guard request.method == "GET" else { return .json(Shopper.bea.session, status: 201) }
            await slow.pass()
            return .json(Page(items: [Fixture.order()]))
        }
        let managers = try ManagersUnderTest(over: transport, as: .ada, local: store)
        async let orders = managers.orders.orders()
        await slow.held(1)
        try await managers.account.signIn(email: "bea@example.org", password: "12345678")
        slow.open()
        _ = try await orders
        for shopper in [Shopper.ada, .bea] {
            #expect(await store.order(id: "ord_1", of: shopper.owner) == nil)
        }
    }

    @Test func `another way of delivery is chosen among those that the order offers, and known`() async throws {
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
