import PouchContract
import PouchDomain
import PouchEntities
import PouchRides
import PouchServer
import PouchStorage
import PouchWire
import ServerTesting
import Testing

@Suite("Cancellation of rides", .timeLimit(.minutes(5)))
struct RideCancellationTests {
    @Test(arguments: [RideStatus.requested, .accepted, .arriving, .inProgress, .completed])
    func `A ride can be cancelled until the pick-up, which frees the kangaroo`(status: RideStatus) async throws {
        try await TestShop.riding { shop, rider, ride in
            try await shop.go(ride.id, to: status)
            let answer = try await rider.cancelRide(ride.id, key: "k")
            guard status.isCancellable else {
                try answer.problem(.notCancellable)
                #expect(try await rider.ride(ride.id).good().status == status)
                return
            }
            let cancelled = try answer.good()
            #expect(cancelled.status == .cancelledByRider && cancelled.driver == nil && cancelled.etaSeconds == nil)
            #expect(cancelled.history.last == Ride.Event(status: .cancelledByRider, at: shop.clock.now))
            #expect(try await shop.busyKangaroos() == [])
            #expect(try await rider.cancelRide(ride.id, key: "k").body == answer.body)
            try await rider.cancelRide(ride.id).problem(.notCancellable)
            try await rider.receipt(ride.id).problem(.rideNotCompleted)
            try await shop.advanceCity(by: 600)
            #expect(try await rider.ride(ride.id).good() == cancelled)
            try await rider.requestRide().good()
        }
    }

    @Test func `A kangaroo cancelled on its way waits at the point it had reached`() async throws {
        try await TestShop.riding { shop, rider, ride in
            try await shop.go(ride.id, to: .accepted)
            shop.clock.advance(by: 6)
            let there = try #require(try await rider.ride(ride.id).good().driver).location
            try await rider.cancelRide(ride.id).good()
            let driver = try #require(try await shop.store.read { try $0.drivers.driver(id: "drv_wallaby_0") })
            #expect(driver.location.distance(to: there) < 1 && driver.location.distance(to: .operaHouse) < 900)
        }
    }

    @Test(arguments: [false, true])
    func `Deleting the account cancels a ride before the pick-up and deletes all rides once they end`(isPickedUp: Bool)
        async throws
    {
        try await TestShop.riding { shop, rider, ended in
            try await rider.cancelRide(ended.id).good()
            let ride = try await rider.requestRide().good()
            if isPickedUp { try await shop.go(ride.id, to: .inProgress) }
            try await rider.call(Contract.deleteAccount, DeleteAccountRequest(password: .password)).good()
            let left = try await shop.rows("SELECT id FROM rides").map { try $0.text(0) }
            #expect(left == (isPickedUp ? [ride.id] : []))
            try await shop.expectNoRides()
        }
    }

    @Test(arguments: [RideStatus.requested, .accepted, .inProgress])
    func `A parcel is still delivered after its account was deleted, and its ride is deleted then`(
        status: RideStatus
    ) async throws {
        try await TestShop.delivering { shop, customer, _, id in
            try await shop.go(id, to: status)
            try await customer.call(Contract.deleteAccount, DeleteAccountRequest(password: .password)).good()
            #expect(try await shop.rows("SELECT 1 FROM rides").count == 1)
            try await shop.expectNoRides()
            let statuses = try await shop.rows("SELECT status FROM orders").map { try $0.text(0) }
            #expect(statuses == [OrderStatus.delivered.rawValue])
        }
    }

    @Test func `The ride of a guest's delivered parcel stays stored`() async throws {
        try await TestShop.open(kangaroos: .calm(), .usual) { shop in
            let order = try await shop.guest().orderByKangaroo()
            try await shop.go(#require(order.rideId), to: .completed)
            #expect(try await shop.rows("SELECT 1 FROM rides").count == 1)
        }
    }
}
