import Foundation
import HummingbirdTesting
import PouchContract
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchServer
import PouchStorage
import PouchWire
import Testing

@testable import PouchDomain

@Suite("Live orders", .timeLimit(.minutes(5)))
struct OrderEventTests {
    private func open(_ body: @escaping @Sendable (TestShop, Caller, Order) async throws -> Void) async throws {
        try await TestShop.open(setup: .live, configure: { $0.rideHeartbeat = .milliseconds(50) }) { shop in
            let customer = try await shop.customer()
            try await body(shop, customer, try await customer.order())
        }
    }

    private func follow(
        _ order: Order, _ caller: Caller, at shop: TestShop, after id: String? = nil
    ) async throws -> LiveEventStream<Order> {
        try await LiveEventStream(caller, "/v1/orders/\(order.id)/events", port: shop.client.port, lastId: id)
    }

    @Test func `The stream begins with the order, has each change, and ends with the delivery`() async throws {
        try await open { shop, customer, order in
            let admin = try await shop.admin()
            let stream = try await follow(order, customer, at: shop)
            let first = try #require(try await stream.nextUpdate("order"))
            #expect(first.update == order)
            try await admin.fulfil(order.id).good()
            let second = try #require(try await stream.nextUpdate("order"))
            #expect(second.update?.status == .fulfilled)
            let delivered = try await admin.deliver(order.id)
            let last = try #require(try await stream.nextUpdate("order"))
            #expect(last.update == (try delivered.good()))
            #expect(delivered.etag == last.id.map { "\"\($0)\"" })
            #expect(try await stream.nextUpdate() == nil)
            #expect(await stream.isComplete)
            let none = try await follow(order, customer, at: shop, after: last.id)
            #expect(await none.status == 204)
        }
    }

    @Test func `An order that is named by its number has the same stream`() async throws {
        try await open { shop, customer, order in
            let admin = try await shop.admin()
            let path = "/v1/orders/\(order.number)/events"
            let stream = try await LiveEventStream<Order>(customer, path, port: shop.client.port)
            #expect(try #require(try await stream.nextUpdate("order")).update == order)
            try await admin.fulfil(order.id).good()
            #expect(try await stream.nextUpdate("order")?.update?.status == .fulfilled)
            try await admin.deliver(order.id).good()
            #expect(try await stream.nextUpdate("order")?.update?.status == .delivered)
        }
    }

    @Test func `A client that comes back gets the order only if it has changed since`() async throws {
        try await open { shop, customer, order in
            let admin = try await shop.admin()
            let id = try #require(try await follow(order, customer, at: shop).nextUpdate("order")?.id)
            let again = try await follow(order, customer, at: shop, after: id)
            #expect(try await again.next()?.name == nil)
            try await admin.fulfil(order.id).good()
            #expect(try await again.nextUpdate("order")?.update?.status == .fulfilled)
            let late = try await follow(order, customer, at: shop, after: id)
            #expect(try await late.next()?.update?.status == .fulfilled)
        }
    }

    @Test func `A cancelled order ends its stream when its money is back`() async throws {
        try await open { shop, customer, order in
            let stream = try await follow(order, customer, at: shop)
            try await customer.cancel(order.id).good()
            var last: Order?
            while let event = try await stream.nextUpdate("order") { last = event.update }
            #expect(last?.status == .cancelled && last?.payment.status == .refunded)
            #expect(await stream.isComplete)
        }
    }

    @Test func `A change by another server is an event, too`() async throws {
        try await open { shop, customer, order in
            let admin = try await shop.admin()
            let stream = try await follow(order, customer, at: shop)
            _ = try await stream.nextUpdate("order")
            try await shop.another { other in
                let caller = Caller(transport: .client(other.client), session: admin.session)
                try await caller.fulfil(order.id).good()
                #expect(try await stream.nextUpdate("order")?.update?.status == .fulfilled)
            }
        }
    }

    @Test func `Orders of others are not found, and ids of other streams are refused`() async throws {
        try await open { shop, customer, order in
            let other = try await shop.customer("bea@example.com")
            try await other.send("GET", "/v1/orders/\(order.id)/events").problem(.notFound)
            for id in ["x", "0", "-1", "1.5"] {
                try await customer.send(
                    "GET", "/v1/orders/\(order.id)/events", headers: [HeaderName.lastEventId: id]
                ).problem(.invalidHeader)
            }
        }
    }

    @Test func `The stream ends with the session`() async throws {
        try await open { shop, customer, order in
            let stream = try await follow(order, customer, at: shop)
            _ = try await stream.nextUpdate("order")
            try await customer.call(Contract.signOut).good()
            #expect(try await stream.nextUpdate() == nil)
        }
    }

    @Test func `An order has up to twenty followers, and room again when one leaves`() async throws {
        try await open { shop, customer, order in
            let feed = shop.services.orderFeed
            let record = try #require(try await shop.store.read { try $0.orders.order(id: order.id) })
            var followers: [AsyncStream<Void>] = []
            for _ in 0..<LiveFollowers.maxFollowers { followers.append(try await feed.follow(record)) }
            await #expect(throws: DomainError.tooManyFollowers) { _ = try await feed.follow(record) }
            try await customer.send("GET", "/v1/orders/\(order.id)/events").problem(.tooManyRequests)
            followers.removeLast()
            try await eventually { (try? await feed.follow(record)) != nil }
        }
    }
}
