import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("Administration of orders", .inShop([.stocked("cap", stock: 100)]))
struct OrderAdministrationTests {
    private let shop = TestShop.current
    private let admin: Caller
    private let guest: Caller

    init() async throws { (admin, guest) = (try await shop.admin(), try await shop.guest()) }

    @Test func `An order is fulfilled and delivered, and the buyer sees both`() async throws {
        let order = try await guest.order()
        try await admin.deliver(order.id).problem(.notDeliverable)
        #expect(try await admin.fulfil(order.id).good().status == .fulfilled)
        try await admin.fulfil(order.id).problem(.notFulfillable)
        try await guest.cancel(order.id).problem(.notCancellable)
        #expect(try await admin.deliver(order.id).good().status == .delivered)
        try await admin.deliver(order.id).problem(.notDeliverable)
        let history = try await guest.order(id: order.id).history
        #expect(history.map(\.status) == [.pending, .paid, .fulfilled, .delivered])
    }

    @Test func `A cancelled or unknown order cannot be fulfilled`() async throws {
        let order = try await guest.order()
        try await guest.cancel(order.id).good()
        try await admin.fulfil(order.id).problem(.notFulfillable)
        try await admin.fulfil("ord_nothing").problem(.notFound)
        try await admin.deliver("ord_nothing").problem(.notFound)
    }

    @Test func `A change with an outdated order version is refused`() async throws {
        let order = try await guest.order()
        let etag = try #require(try await guest.call(Contract.order, path: ["id": order.id]).etag)
        try await admin.fulfil(order.id, headers: .ifMatch("\"77\"")).problem(.versionConflict)
        let sent = try await admin.fulfil(order.id, headers: .ifMatch(etag))
        try sent.good()
        #expect(sent.etag != etag)
        try await admin.deliver(order.id, headers: .ifMatch(etag)).problem(.versionConflict)
    }

    @Test func `Of concurrent fulfilments one succeeds, and a delivery with a used key is replayed`() async throws {
        let order = try await guest.order()
        let statuses = try await parallel(10) { _ in try await admin.fulfil(order.id).status }
        #expect(statuses.sorted() == [200] + Array(repeating: 409, count: 9))
        let first = try await admin.deliver(order.id, headers: .key("deliver"))
        try first.good()
        let again = try await admin.deliver(order.id, headers: .key("deliver"))
        #expect(again.body == first.body && again.replayed == "true")
    }

    @Test func `An order fulfilled and cancelled concurrently ends in one of both`() async throws {
        let orders = try await parallel(8) { _ in try await guest.buyNow().good() }
        for order in orders {
            async let sent = admin.fulfil(order.id).status
            async let cancelled = guest.cancel(order.id).status
            #expect(try await [sent, cancelled].sorted() == [200, 409])
            let ended = try await guest.order(id: order.id)
            #expect(ended.status == .fulfilled || ended.payment.status == .refunded)
        }
    }

    @Test func `The orders of all buyers are listed latest first, by status and in pages`() async throws {
        var placed: [String] = []
        for number in 0..<5 {
            shop.clock.advance(by: 1)
            let buyer = number % 2 == 0 ? try await shop.guest() : try await shop.customer("c\(number)@example.com")
            placed.append(try await buyer.buyNow().good().id)
        }
        try await admin.fulfil(placed[1]).good()
        try await admin.fulfil(placed[4]).good()
        let all = try await admin.pages(Contract.allOrders, limit: 2)
        #expect(all.map { $0.map(\.id) } == [[placed[4], placed[3]], [placed[2], placed[1]], [placed[0]]])
        let paid = try await admin.pages(Contract.allOrders, limit: 2, query: "status=paid")
        #expect(paid.joined().map(\.id) == [placed[3], placed[2], placed[0]])
        let sent = try await admin.call(Contract.allOrders, query: "status=fulfilled").good()
        #expect(sent.items.map(\.id) == [placed[4], placed[1]])
        #expect(try await admin.call(Contract.allOrders, query: "status=delivered").good().items == [])
    }

    @Test(arguments: ["status=lost", "status=unrecognised", "status=", "state=paid", "limit=0"])
    func `An invalid query of the order list is refused`(query: String) async throws {
        try await admin.call(Contract.allOrders, query: query).problem(.invalidQuery)
    }
}
