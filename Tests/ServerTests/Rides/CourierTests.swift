import Foundation
import HummingbirdTesting
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchRides
import PouchServer
import PouchStorage
import PouchWire
import Testing

@Suite("Orders that a kangaroo brings", .timeLimit(.minutes(2)))
struct CourierTests {
    // MARK: The course

    @Test func `The order is sent when it is fetched and delivered when it arrives, at the times of its ride`()
        async throws
    {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let customer = try await shop.customer()
            let order = try await customer.orderByKangaroo()
            let id = try #require(order.rideId)
            let ride = try await customer.ride(id).good()
            #expect(ride.waypoints == RideWaypoints(pickupLocation: .shop, dropoffLocation: .bondi))
            #expect(ride.fare == order.shipping?.price && ride.rideOptionID == "wallaby")
            let etag = try await customer.call(Contract.order, path: ["id": order.id]).etag
            try await shop.go(id, to: .arriving)
            let before = try await customer.call(Contract.order, path: ["id": order.id])
            #expect(try before.good() == order && before.etag == etag)
            try await shop.go(id, to: .inProgress)
            #expect(try await customer.order(id: order.id).status == .fulfilled)
            try await shop.go(id, to: .completed)
            let delivered = try await customer.order(id: order.id)
            let history = try await customer.ride(id).good().history
            #expect(delivered.history.map(\.status) == [.pending, .paid, .fulfilled, .delivered])
            #expect(delivered.history.suffix(2).map(\.at) == history.suffix(2).map(\.at))
            #expect(delivered.rideId == id && delivered.deliveryFailure == nil)
            #expect(try await shop.busyKangaroos() == [])
            try await shop.books(["cap": 10])
        }
    }

    @Test func `After a pause in which all of it happened the order was sent and delivered`() async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let guest = try await shop.guest()
            let order = try await guest.orderByKangaroo()
            _ = try await City(shop.rideEnvironment).advance()
            shop.clock.advance(by: 600)
            try await eventually { try await guest.order(id: order.id).status == .delivered }
            let history = try await guest.order(id: order.id).history
            #expect(history.map(\.status) == [.pending, .paid, .fulfilled, .delivered])
            #expect(history.map(\.at) == history.map(\.at).sorted())
            #expect(history[3].at < shop.clock.now.addingTimeInterval(-300))
        }
    }

    @Test func `The ride is the shop's: its customer may look and not call it off, and may ride beside it`()
        async throws
    {
        try await TestShop.open(kangaroos: .calm(2), .usual, setup: .live) { shop in
            let (customer, other) = (try await shop.customer(), try await shop.customer("bob@example.com"))
            let id = try #require(try await customer.orderByKangaroo().rideId)
            try await customer.cancelRide(id).problem(.notCancellable)
            #expect(try await customer.call(Contract.rides).good().items == [])
            try await other.ride(id).problem(.notFound)
            try await other.cancelRide(id).problem(.notFound)
            let own = try await customer.requestRide().good()
            #expect(try await customer.call(Contract.rides).good().items.map(\.id) == [own.id])
            let stream = try await RideEventStream(customer, id, port: shop.client.port)
            #expect(try await stream.next()?.update?.status == .requested)
            try await shop.go(id, to: .completed)
            while let event = try await stream.nextUpdate("status") {
                if event.update?.status == .completed { break }
            }
            #expect(try await stream.next() == nil)
            #expect(try await customer.receipt(id).good().rideID == id)
        }
    }

    @Test func `A guest's order is brought too, though guests see no rides`() async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let guest = try await shop.guest()
            let order = try await guest.orderByKangaroo()
            let id = try #require(order.rideId)
            try await guest.ride(id).problem(.forbidden)
            try await shop.go(id, to: .completed)
            #expect(try await guest.order(id: order.id).status == .delivered)
        }
    }

    // MARK: Cancelling

    @Test(arguments: [RideStatus.requested, .accepted, .arriving])
    func `Cancelling the order calls the ride off, and frees the kangaroo`(status: RideStatus) async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let customer = try await shop.customer()
            let order = try await customer.orderByKangaroo()
            let id = try #require(order.rideId)
            try await shop.go(id, to: status)
            let cancelled = try await customer.call(Contract.cancelOrder, path: ["id": order.id]).good()
            #expect(cancelled.status == .cancelled && cancelled.payment.refunded == order.totals.total)
            #expect(try await customer.ride(id).good().status == .cancelledByRider)
            #expect(try await shop.busyKangaroos() == [])
            shop.clock.advance(by: 600)
            _ = try await City(shop.rideEnvironment).advance()
            #expect(try await customer.order(id: order.id) == cancelled)
            try await shop.books(["cap": 10])
        }
    }

    @Test func `Once it was fetched it cannot be cancelled`() async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let customer = try await shop.customer()
            let order = try await customer.orderByKangaroo()
            try await shop.go(#require(order.rideId), to: .inProgress)
            try await customer.call(Contract.cancelOrder, path: ["id": order.id]).problem(.notCancellable)
            try await shop.go(#require(order.rideId), to: .completed)
            #expect(try await customer.order(id: order.id).status == .delivered)
        }
    }

    @Test(arguments: [false, true])
    func `Given back in full before it was fetched, it is not sent; given back in part it is`(isWhole: Bool)
        async throws
    {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let (admin, customer) = (try await shop.admin(), try await shop.customer())
            let order = try await customer.orderByKangaroo()
            let id = try #require(order.rideId)
            try await shop.go(id, to: .accepted)
            try await admin.refund(order.id, amount: isWhole ? order.totals.total.amount : 100).good()
            if isWhole {
                #expect(try await customer.ride(id).good().status == .cancelledByRider)
                #expect(try await customer.order(id: order.id).status == .refunded)
                #expect(try await shop.busyKangaroos() == [])
            } else {
                try await shop.go(id, to: .completed)
                #expect(try await customer.order(id: order.id).status == .delivered)
            }
        }
    }

    @Test(arguments: [RideStatus.requested, .accepted, .arriving])
    func `Sending the order by hand calls the ride off, and nothing that a kangaroo does is written into it any more`(
        status: RideStatus
    ) async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let (admin, customer) = (try await shop.admin(), try await shop.customer())
            let order = try await customer.orderByKangaroo()
            let id = try #require(order.rideId)
            try await shop.go(id, to: status)
            let sent = try await admin.fulfil(order.id).good()
            #expect(sent.status == .fulfilled)
            #expect(try await customer.ride(id).good().status == .cancelledByRider)
            #expect(try await shop.busyKangaroos() == [])
            shop.clock.advance(by: 600)
            _ = try await City(shop.rideEnvironment).advance()
            #expect(try await customer.order(id: order.id) == sent)
            #expect(try await admin.deliver(order.id).good().status == .delivered)
        }
    }
}
