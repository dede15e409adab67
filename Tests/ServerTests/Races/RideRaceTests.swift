import HummingbirdTesting
import ServerTesting
import Testing

@testable import PouchDomain
@testable import PouchRides

@Suite("Concurrent rides", .timeLimit(.minutes(10)))
struct RideRaceTests {
    private static let before: [RideStatus: RideStatus] = [
        .accepted: .requested, .arriving: .accepted, .inProgress: .arriving,
    ]

    private func riders(_ count: Int, at site: some Addressable & Sendable) async throws -> [Caller] {
        try await parallel(count) { number in
            let request = SignUpRequest.sample("rider-\(number)@example.com")
            return site.caller(try await patiently { try await site.anyone.call(Contract.signUp, request) }.good())
        }
    }

    /// Checks that no kangaroo and no rider has two rides, and that rides and kangaroos refer to each other.
    private func expectConsistent(_ shop: TestShop, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let (rides, drivers) = try await shop.database { connection in
            (
                try connection.rows("SELECT id, rider_id, driver_id FROM rides WHERE due_at IS NOT NULL", []),
                try connection.rows("SELECT ride_id, id FROM drivers WHERE ride_id IS NOT NULL", [])
            )
        }
        let riders = try rides.map { try $0.text(1) }
        #expect(Set(riders).count == riders.count, sourceLocation: sourceLocation)
        let byRide = try rides.compactMap { row in try row.optional(2, SQLRow.text).map { [try row.text(0), $0] } }
        let byDriver = try drivers.map { [try $0.text(0), try $0.text(1)] }
        #expect(Set(byRide) == Set(byDriver), sourceLocation: sourceLocation)
        #expect(Set(byRide.map { $0[1] }).count == byRide.count, sourceLocation: sourceLocation)
    }

    private func isLegal(_ history: [Ride.Event]) -> Bool {
        history.first?.status == .requested
            && zip(history, history.dropFirst()).allSatisfy {
                RideMachine.allows($0.status, to: $1.status) && $0.at <= $1.at
            }
    }

    @Test func `Of fifty concurrent requests of one rider one makes a ride`() async throws {
        try await TestShop.open(kangaroos: .calm(50), setup: .live) { shop in
            let rider = try await shop.customer()
            try await Transport.connections(20, ports: [#require(shop.client.port)]) { transport in
                let caller = Caller(transport: transport, session: rider.session)
                let answers = try await parallel(50) { _ in
                    try await patiently { key in try await caller.requestRide(key: key) }
                }
                #expect(answers.count { $0.status == 201 } == 1)
                for answer in answers where answer.status != 201 { try answer.problem(.rideInProgress) }
            }
            try await shop.advanceCity()
            #expect(try await shop.busyKangaroos().count == 1)
            try await expectConsistent(shop)
        }
    }

    @Test func `A hundred riders share ten kangaroos, none has two rides, and every ride ends`() async throws {
        let kangaroos = [DriverRecord].calm(10).filter { $0.species == .wallaby }
        try await TestShop.open(kangaroos: kangaroos, setup: .live) { shop in
            try await Transport.connections(20, ports: [#require(shop.client.port)]) { transport in
                let riders = try await riders(100, at: transport)
                let rides = try await parallel(100) { number in
                    try await patiently { key in try await riders[number].requestRide(key: key) }.good().id
                }
                try await shop.advanceCity()
                try await expectConsistent(shop)
                #expect(try await shop.busyKangaroos().count == 10)
                while let due = try await City(shop.rideEnvironment).advance() {
                    try await expectConsistent(shop)
                    shop.clock.advance(by: max(1, due.timeIntervalSince(shop.clock.now)))
                }
                try await expectConsistent(shop)
                var ends: [RideStatus: Int] = [:]
                for id in rides {
                    let ride = try await shop.record(ofRide: id)
                    #expect(isLegal(ride.history) && ride.dueAt == nil)
                    ends[ride.status, default: 0] += 1
                }
                // Ten rides have a kangaroo, and none becomes free within two minutes.
                #expect(ends == [.completed: 10, .noDriversAvailable: 90])
                #expect(try await shop.busyKangaroos() == [])
            }
        }
    }

    @Test(arguments: [RideStatus.accepted, .arriving, .inProgress])
    func `A ride cancelled during its next step is cancelled or moves on`(status: RideStatus) async throws {
        // Each round has a new city, since a kangaroo left at the pick-up would arrive at once.
        for _ in 0..<8 {
            try await TestShop.open(kangaroos: .calm(8)) { shop in
                try await shop.another { other in
                    let rider = try await shop.customer()
                    let ride = try await rider.requestRide().good()
                    try await shop.advanceCity()
                    try await shop.go(ride.id, to: #require(Self.before[status]))
                    let due = try #require(try await shop.record(ofRide: ride.id).dueAt)
                    async let cancelled = patiently { try await rider.cancelRide(ride.id) }
                    shop.clock.advance(by: due.timeIntervalSince(shop.clock.now))
                    async let moved = City(other.rideEnvironment).advance()
                    let (answer, _) = try await (cancelled, moved)
                    let ended = try await shop.record(ofRide: ride.id)
                    #expect(isLegal(ended.history))
                    if answer.status == 200 {
                        #expect(ended.status == .cancelledByRider && ended.dueAt == nil)
                        #expect(try await shop.busyKangaroos() == [])
                    } else {
                        try answer.problem(.notCancellable)
                        #expect(status == .inProgress && ended.status == .inProgress)
                        try await shop.go(ride.id, to: .completed)
                    }
                    try await expectConsistent(shop)
                }
            }
        }
    }

    /// The reasons for which an order needs its kangaroo no longer.
    enum Ending: CaseIterable {
        case cancelled
        case refunded
        case fulfilledByHand
    }

    @Test(arguments: [RideStatus.accepted, .arriving, .inProgress], Ending.allCases)
    func `If an order ends during its ride's next step, it was picked up or its ride is cancelled`(
        status: RideStatus, ending: Ending
    ) async throws {
        for _ in 0..<4 {
            try await TestShop.open(kangaroos: .calm(), .usual) { shop in
                try await shop.another { other in
                    try await end(by: ending, before: status, at: shop, other)
                }
            }
        }
    }

    private func end(by ending: Ending, before status: RideStatus, at shop: TestShop, _ other: TestShop) async throws {
        let (admin, customer) = (try await shop.admin(), try await shop.customer())
        let placed = try await customer.orderByKangaroo()
        let id = try #require(placed.rideId)
        try await shop.go(id, to: #require(Self.before[status]))
        let due = try #require(try await shop.record(ofRide: id).dueAt)
        async let answered = {
            switch ending {
            case .cancelled: try await patiently { key in try await customer.cancel(placed.id, key: key) }.status
            case .refunded: try await patiently { key in try await admin.refund(placed.id, key: key) }.status
            case .fulfilledByHand: try await patiently { try await admin.fulfil(placed.id) }.status
            }
        }()
        shop.clock.advance(by: due.timeIntervalSince(shop.clock.now))
        async let moved = City(other.rideEnvironment).advance(report: { Issue.record("\($0): \($1)") })
        let (answer, _) = try await (answered, moved)

        let isPickedUp = try await shop.record(ofRide: id).status == .inProgress
        let order = try await customer.order(id: placed.id)
        switch ending {
        case .cancelled:
            #expect(answer == (isPickedUp ? 409 : 200))
            #expect(order.status == (isPickedUp ? .fulfilled : .cancelled))
        case .refunded: #expect(answer == 201 && order.status == .refunded)
        case .fulfilledByHand:
            #expect(answer == (isPickedUp ? 409 : 200))
            #expect(order.status == .fulfilled)
        }
        #expect(order.history.count { $0.status == .fulfilled } == (isPickedUp || ending == .fulfilledByHand ? 1 : 0))
        #expect(!isPickedUp || status == .inProgress)
        try await other.advanceCity(by: 600)
        let ride = try await shop.record(ofRide: id)
        #expect(isLegal(ride.history) && ride.status == (isPickedUp ? .completed : .cancelledByRider))
        #expect(try await shop.busyKangaroos() == [])
        let last = try await customer.order(id: placed.id)
        #expect(last.status == (isPickedUp && order.status == .fulfilled ? .delivered : order.status))
        try await shop.reconcile(["cap": 10])
    }

    @Test func `Two servers in one city perform each step once`() async throws {
        try await TestShop.open(kangaroos: .calm(10)) { shop in
            try await shop.another { other in
                let riders = try await riders(20, at: shop)
                let rides = try await parallel(20) { number in
                    try await patiently { try await riders[number].requestRide(key: "k") }.good().id
                }
                while try await City(shop.rideEnvironment).advance() != nil {
                    shop.clock.advance(by: 7)
                    _ = try await parallel(6) { number in
                        try await City((number.isMultiple(of: 2) ? shop : other).rideEnvironment).advance(
                            report: { id, error in Issue.record("\(id): \(error)") })
                    }
                    try await expectConsistent(shop)
                }
                for id in rides {
                    let ride = try await shop.record(ofRide: id)
                    #expect(isLegal(ride.history) && ride.dueAt == nil)
                    #expect(ride.statuses == .whole || ride.status == .noDriversAvailable)
                }
                #expect(try await shop.busyKangaroos() == [])
            }
        }
    }

    @Test func `A ride requested during the deletion of the account is not left behind`() async throws {
        try await TestShop.open(kangaroos: .calm(16)) { shop in
            _ = try await parallel(16) { number in
                let rider = try await shop.customer("ada\(number)@example.com")
                async let asking = patiently { try await rider.requestRide(key: "k") }
                async let deleting = patiently { try await rider.deleteAccount() }
                let (answer, deletion) = try await (asking, deleting)
                #expect(deletion.status == 204)
                if answer.status != 201 { try answer.problem(.unauthenticated) }
            }
            #expect(try await shop.rows("SELECT 1 FROM rides").isEmpty)
            #expect(try await shop.busyKangaroos() == [])
        }
    }

    @Test(.enabled(if: TestDatabase.isPostgres))
    func `A ride whose request started before the account was deleted is deleted too`() async throws {
        try await TestShop.open(kangaroos: []) { shop in
            let rider = try await shop.customer()
            let another = RideRecord(
                id: "rid_another", passenger: .rider(id: try rider.accountId), species: .wallaby, waypoints: .sample,
                fare: Money(1_000, .eur), distanceMetres: 5_000, at: shop.clock.now)
            // An uncommitted ride of the same rider delays the request.
            let held = HeldTransaction(shop.store) { _ = try $0.rides.insert(another) }
            await held.waitForStart()
            async let asking = rider.requestRide()
            try await held.during { try await eventually { try await shop.waitingSessions() == 1 } }
            async let deleting = rider.deleteAccount()
            try await held.during {
                try await eventually {
                    if try await shop.rows("SELECT 1 FROM accounts").isEmpty { return true }
                    return try await shop.waitingSessions() == 2
                }
            }
            await held.rollBack()
            let (asked, deleted) = try await (asking, deleting)
            #expect(asked.status == 201 && deleted.status == 204)
            #expect(try await shop.rows("SELECT 1 FROM rides").isEmpty)
        }
    }

    @Test(.enabled(if: TestDatabase.isPostgres), arguments: [900.0, 15_000])
    func `A ride takes the next nearest kangaroo instead of waiting for a locked one`(metres: Double) async throws {
        let near = try DriverRecord.sample(temper: .calm, metres: 500)
        let far = try DriverRecord.sample(temper: .calm, metres: metres)
        try await TestCity.open([near, far]) { city in
            let held = HeldTransaction(city.store) { _ = try $0.drivers.claim(id: near.id, rideId: "rid_another") }
            await held.waitForStart()
            async let asking: Void = city.request("rid_1")
            try await held.during {
                try await eventually {
                    try await city.store.read { try $0.rides.ride(id: "rid_1") }?.engagement != nil
                }
            }
            await held.rollBack()
            try await asking
            #expect(try await city.ride("rid_1").engagement?.driverId == far.id)
        }
    }

    /// An order for which the city has no kangaroo.
    private func undelivered(_ customer: Caller, at shop: TestShop) async throws -> Order {
        let placed = try await customer.orderByKangaroo()
        try await shop.advanceCity()
        let order = try await customer.order(id: placed.id)
        try #require(order.deliveryFailure != nil)
        return order
    }

    @Test func `An order whose delivery is changed and cancelled concurrently is cancelled with a full refund`()
        async throws
    {
        for _ in 0..<4 {
            try await TestShop.open(kangaroos: [], .usual) { shop in
                let customer = try await shop.customer()
                let order = try await undelivered(customer, at: shop)
                let statuses = try await parallel(6) { number in
                    number < 4
                        ? try await patiently { try await customer.deliver(order, by: "standard") }.status
                        : try await patiently { key in try await customer.cancel(order.id, key: key) }.status
                }
                #expect(Set(statuses).isSubset(of: [200, 409]))
                #expect(statuses.suffix(2).sorted() == [200, 409])
                let ended = try await customer.order(id: order.id)
                #expect(ended.status == .cancelled && ended.payment.refunded == order.totals.total)
                try await shop.reconcile(["cap": 10])
            }
        }
    }

    @Test func `Concurrent changes to one delivery refund the difference once`() async throws {
        try await TestShop.open(kangaroos: [], .usual) { shop in
            let customer = try await shop.customer()
            let order = try await undelivered(customer, at: shop)
            let answers = try await parallel(10) { _ in
                try await patiently { try await customer.deliver(order, by: "standard") }
            }
            for answer in answers { try answer.good() }
            #expect(try await shop.rows("SELECT 1 FROM refunds").count == 1)
            try await shop.reconcile(["cap": 10])
        }
    }
}
