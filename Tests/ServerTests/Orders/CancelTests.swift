import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("Cancelling an order")
struct CancelTests {
    @Test func `The charge is refunded in full and the units are back; a second time is refused`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order("cap", 3)
            #expect(try await shop.available("cap") == 7)
            let answer = try await guest.call(Contract.cancelOrder, path: ["id": order.id])
            let cancelled = try answer.good()
            #expect(cancelled.status == .cancelled && cancelled.payment.status == .refunded)
            #expect(cancelled.payment.refunded == order.totals.total)
            #expect(cancelled.history.map(\.status) == [.pending, .paid, .cancelled])
            #expect(try await shop.available("cap") == 10)
            #expect(try await guest.order(id: order.id) == cancelled)
            try await guest.call(Contract.cancelOrder, path: ["id": order.id]).problem(.notCancellable)
            #expect(try await shop.available("cap") == 10)
        }
    }

    @Test func `Of many cancels at once one has an effect`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order("cap", 2)
            let statuses = try await parallel(10) { _ in
                try await guest.call(Contract.cancelOrder, path: ["id": order.id]).status
            }
            #expect(statuses.sorted() == [200] + Array(repeating: 409, count: 9))
            #expect(try await shop.available("cap") == 10)
        }
    }

    @Test func `With a key the answer is repeated`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order()
            let key = [HeaderName.idempotencyKey: "cancel"]
            let first = try await guest.call(Contract.cancelOrder, path: ["id": order.id], headers: key)
            let again = try await guest.call(Contract.cancelOrder, path: ["id": order.id], headers: key)
            try first.good()
            #expect(again.body == first.body && again.header(HeaderName.idempotentReplayed) == "true")
        }
    }

    @Test func `With the same key and another body it is another request`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order()
            let key = [HeaderName.idempotencyKey: "cancel"]
            let path = "/v1/orders/\(order.id)/cancel"
            #expect(try await guest.send("POST", path, "{}", headers: key).status == 200)
            for body in [nil, "{ }", #"{"reason": "late"}"#] {
                try await guest.send("POST", path, body, headers: key).problem(.idempotencyKeyReused)
            }
            let again = try await guest.send("POST", path, "{}", headers: key)
            #expect(again.status == 200 && again.header(HeaderName.idempotentReplayed) == "true")
        }
    }

    @Test func `An order of another version is not cancelled`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.order()
            let etag = try #require(try await guest.call(Contract.order, path: ["id": order.id]).etag)
            try await guest.call(
                Contract.cancelOrder, path: ["id": order.id], headers: [HeaderName.ifMatch: "\"1\""]
            ).problem(.versionConflict)
            let answer = try await guest.call(
                Contract.cancelOrder, path: ["id": order.id], headers: [HeaderName.ifMatch: etag])
            try answer.good()
            #expect(answer.etag != etag)
        }
    }

    @Test func `Another principal's order is not found, and stays`() async throws {
        try await TestShop.open { shop in
            let owner = try await shop.customer()
            let order = try await owner.order()
            for stranger in [try await shop.guest(), try await shop.customer("bob@example.com")] {
                try await stranger.call(Contract.order, path: ["id": order.id]).problem(.notFound)
                try await stranger.call(Contract.cancelOrder, path: ["id": order.id]).problem(.notFound)
                #expect(try await stranger.call(Contract.orders).good().items == [])
            }
            try await owner.call(Contract.order, path: ["id": "ord_nobody"]).problem(.notFound)
            try await owner.call(Contract.cancelOrder, path: ["id": "ord_nobody"]).problem(.notFound)
            #expect(try await owner.order(id: order.id).status == .paid)
        }
    }
}
