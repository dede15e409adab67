import HummingbirdTesting
import ServerTesting
import Testing

@testable import PouchDomain

@Suite(
    "Live orders", .timeLimit(.minutes(5)),
    .inShop(setup: .live, configure: { $0.rideHeartbeat = .milliseconds(50) }))
struct OrderEventTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let customer: Caller
    private let order: Order

    init() async throws {
        (admin, customer) = (try await shop.admin(), try await shop.customer())
        order = try await customer.order()
    }

    private func follow(_ name: String? = nil, after id: String? = nil) async throws -> LiveEventStream<Order> {
        let path = "/v1/orders/\(name ?? order.id)/events"
        return try await LiveEventStream(customer, path, port: shop.client.port, lastId: id)
    }

    @Test(arguments: [false, true])
    func `A stream begins with the order, has each change, and ends with the delivery`(ofNumber: Bool) async throws {
        let name = ofNumber ? order.number : order.id
        let stream = try await follow(name)
        #expect(try await stream.nextUpdate("order")?.update == order)
        try await admin.fulfil(order.id).good()
        #expect(try await stream.nextUpdate("order")?.update?.status == .fulfilled)
        let delivered = try await admin.deliver(order.id)
        let last = try #require(try await stream.nextUpdate("order"))
        #expect(last.update == (try delivered.good()))
        #expect(delivered.etag == last.id.map { "\"\($0)\"" })
        #expect(try await stream.nextUpdate() == nil)
        #expect(await stream.isComplete)
        #expect(try await follow(name, after: last.id).status == 204)
    }

    @Test func `A client that reconnects gets the order only if it has changed`() async throws {
        let id = try #require(try await follow().nextUpdate("order")?.id)
        let again = try await follow(after: id)
        #expect(try await again.next()?.name == nil)
        try await admin.fulfil(order.id).good()
        #expect(try await again.nextUpdate("order")?.update?.status == .fulfilled)
        #expect(try await follow(after: id).next()?.update?.status == .fulfilled)
    }

    @Test func `The stream of a cancelled order ends when the money is refunded`() async throws {
        let stream = try await follow()
        try await customer.cancel(order.id).good()
        var last: Order?
        while let event = try await stream.nextUpdate("order") { last = event.update }
        #expect(last?.status == .cancelled && last?.payment.status == .refunded)
        #expect(await stream.isComplete)
    }

    @Test func `A change by another server is an event, too`() async throws {
        let stream = try await follow()
        _ = try await stream.nextUpdate("order")
        try await shop.another { other in
            try await other.caller(#require(admin.session)).fulfil(order.id).good()
            #expect(try await stream.nextUpdate("order")?.update?.status == .fulfilled)
        }
    }

    @Test func `Orders of others are not found, and ids of other streams are refused`() async throws {
        let path = "/v1/orders/\(order.id)/events"
        try await shop.customer("bea@example.com").send("GET", path).problem(.notFound)
        for id in ["x", "0", "-1", "1.5"] {
            try await customer.send("GET", path, headers: [HeaderName.lastEventId: id]).problem(.invalidHeader)
        }
    }

    @Test func `The stream ends with the session`() async throws {
        let stream = try await follow()
        _ = try await stream.nextUpdate("order")
        try await customer.signOut()
        #expect(try await stream.nextUpdate() == nil)
    }

    @Test func `An order has up to twenty followers, and accepts another when one leaves`() async throws {
        let feed = shop.services.orderFeed
        let stored = try await shop.store.read { [id = order.id] in try $0.orders.order(id: id, locking: false) }
        let record = try #require(stored)
        var followers: [AsyncStream<Void>] = []
        for _ in 0..<OrderFeed.maxFollowers { followers.append(try await feed.follow(record)) }
        await #expect(throws: DomainError.tooManyFollowers) { _ = try await feed.follow(record) }
        try await customer.send("GET", "/v1/orders/\(order.id)/events").problem(.tooManyRequests)
        followers.removeLast()
        try await eventually { (try? await feed.follow(record)) != nil }
    }
}
