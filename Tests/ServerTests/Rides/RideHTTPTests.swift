import PouchRides
import ServerTesting
import Testing

@Suite(
    "Rides over HTTP", .timeLimit(.minutes(5)),
    .inCity { configuration in
        configuration.jobInterval = .seconds(3_600)
        configuration.instrument = { RecordingDatabase($0) }
    })
struct RideHTTPTests {
    private let shop = TestShop.current
    private let rider: Caller

    init() async throws {
        rider = try await shop.customer()
        try await shop.add(.calm(3))
    }

    @Test func `A ride goes from the quote through pick-up and drop-off to the receipt`() async throws {
        let quote = try #require(try await rider.quotes().first)
        let ride = try await rider.requestRide(quote: quote.id).good()
        #expect(ride.id.hasPrefix("rid_") && ride.status == .requested && ride.fare == quote.fare)
        #expect(ride.waypoints == .sample && ride.rideOptionID == "wallaby" && ride.createdAt == shop.clock.now)
        #expect(ride.history == [Ride.Event(status: .requested, at: ride.createdAt)] && ride.driver == nil)
        for status in [RideStatus].whole.dropFirst() {
            try await rider.receipt(ride.id).problem(.rideNotCompleted)
            try await shop.go(ride.id, to: status)
            let now = try await rider.ride(ride.id).good()
            #expect(now.status == status && now.driver?.name == "Skip 0" && now.driver?.rating == 4.7)
            #expect((now.etaSeconds == nil) == (status == .completed))
        }
        let ended = try await rider.ride(ride.id).good()
        #expect(ended.history.map(\.status) == .whole)
        let receipt = try await rider.receipt(ride.id).good()
        let expected = RideReceipt(
            rideID: ride.id, fare: quote.fare, distanceMetres: quote.distanceMetres, driverName: "Skip 0",
            pickedUpAt: ended.history[3].at, completedAt: ended.history[4].at)
        #expect(receipt == expected)
        try await rider.cancelRide(ride.id).problem(.notCancellable)
        #expect(try await shop.busyKangaroos() == [])
    }

    // MARK: Requests

    @Test func `A second ride is refused until the first has ended`() async throws {
        let other = try await shop.customer("bob@example.com")
        let first = try await rider.requestRide().good()
        try await rider.requestRide().problem(.rideInProgress)
        try await rider.requestRide(option: "kangaroo").problem(.rideInProgress)
        try await other.requestRide().good()
        try await eventually { try await shop.busyKangaroos() == ["drv_wallaby_0", "drv_wallaby_1"] }
        try await shop.go(first.id, to: .inProgress)
        try await rider.requestRide().problem(.rideInProgress)
        try await shop.go(first.id, to: .completed)
        try await rider.requestRide().good()
    }

    @Test func `A ride request needs a key, is replayed with it, and the key is valid for one request`() async throws {
        try await rider.requestRide(key: nil).problem(.idempotencyKeyRequired)
        let first = try await rider.requestRide(key: "k")
        try await shop.go(first.good().id, to: .inProgress)
        let again = try await rider.requestRide(key: "k")
        #expect(again.body == first.body && again.replayed == "true" && first.replayed == nil)
        try await rider.requestRide(option: "kangaroo", key: "k").problem(.idempotencyKeyReused)
        // A refused request is not stored.
        try await rider.requestRide(key: "l").problem(.rideInProgress)
        try await shop.go(first.good().id, to: .completed)
        try await rider.requestRide(key: "l").good()
    }

    @Test func `Concurrent requests with one key make one ride, and all get it as the response`() async throws {
        let answers = try await parallel(10) { _ in try await patiently { try await rider.requestRide(key: "k") } }
        #expect(Set(answers.map(\.body)).count == 1 && answers.allSatisfy { $0.status == 201 })
        #expect(try await rider.rides().count == 1)
        try await eventually { try await shop.busyKangaroos().count == 1 }
    }

    @Test func `A ride request wakes the city, which searches for a kangaroo at once`() async throws {
        for _ in 0..<2 {
            let ride = try await rider.requestRide().good()
            try await eventually { try await shop.busyKangaroos() == ["drv_wallaby_0"] }
            try await rider.cancelRide(ride.id).good()
        }
    }

    @Test func `A ride request takes five statements`() async throws {
        let transactions = try await RecordingDatabase.transactions { try await rider.requestRide().good() }
        // The session, the key before and after, the ride, and its event.
        #expect(transactions.map(\.count) == [5], "\(transactions)")
    }

    @Test(arguments: ["hopper", "", "Wallaby"])
    func `An unknown ride option is refused`(option: String) async throws {
        #expect(try await rider.requestRide(option: option).invalidFields() == ["rideOptionID"])
    }

    @Test(arguments: [
        (90.0001, 0.0, "latitude"), (-90.0001, 0, "latitude"), (1e300, 0, "latitude"), (0, 180.0001, "longitude"),
        (0, -180.0001, "longitude"), (0, -1e300, "longitude"),
    ])
    func `Coordinates out of range are refused for quotes and rides, at pick-up and drop-off`(
        latitude: Double, longitude: Double, name: String
    ) async throws {
        let nowhere = GeoPoint(latitude: latitude, longitude: longitude)
        for (waypoints, field) in [
            (RideWaypoints(pickupLocation: nowhere, dropoffLocation: .bondi), "waypoints.pickupLocation."),
            (RideWaypoints(pickupLocation: .bondi, dropoffLocation: nowhere), "waypoints.dropoffLocation."),
        ] {
            let quoted = try await rider.call(Contract.quoteRide, QuoteRequest(waypoints: waypoints))
                .problem(.validationFailed).problem
            let asked = try await rider.requestRide(waypoints).problem(.validationFailed).problem
            for errors in [quoted.errors, asked.errors] {
                #expect(errors?.map(\.field) == [field + name] && errors?.map(\.code) == ["out_of_range"])
            }
        }
    }

    @Test(arguments: [(90.0, 0.0), (-90, 0), (0, 180), (0, -180)])
    func `Coordinates at the limits are valid but no kangaroo comes`(latitude: Double, longitude: Double) async throws {
        let edge = GeoPoint(latitude: latitude, longitude: longitude)
        let near = GeoPoint(latitude: latitude * 0.999, longitude: longitude * 0.999)
        let waypoints = RideWaypoints(pickupLocation: edge, dropoffLocation: near)
        #expect(try await rider.quotes(waypoints) == [])
        try await shop.go(rider.requestRide(waypoints).good().id, to: .noDriversAvailable)
    }

    @Test(arguments: [(0.0, false), (1, true), (199_990, true), (200_010, false)])
    func `A trip of 0 m or of more than 200 km is refused`(metres: Double, isTrip: Bool) async throws {
        let end = GeoPoint(latitude: GeoPoint.bondi.latitude + metres / 111_195.0797, longitude: 151.2767)
        let request = QuoteRequest(waypoints: .init(pickupLocation: .bondi, dropoffLocation: end))
        let answer = try await rider.call(Contract.quoteRide, request)
        if isTrip { try answer.good() } else { #expect(try answer.invalidFields() == ["waypoints.dropoffLocation"]) }
    }

    @Test(
        arguments: [
            ("}}}", #"}},"tip":1}"#, ProblemCode.unknownField),
            (#""longitude":2}}"#, #""longitude":2,"altitude":3}}"#, .unknownField),
            (#"},"dropoffLocation":{"latitude":1,"longitude":2}"#, "}", .validationFailed),
            (#""longitude":2"#, #""longitude":"2""#, .validationFailed),
            (#""rideOptionID":"wallaby","#, "", .validationFailed), ("}}}", "", .invalidJSON),
        ] as [(String, String, ProblemCode)])
    func `An invalid request body is refused`(right: String, wrong: String, code: ProblemCode) async throws {
        let ends = #""pickupLocation":{"latitude":1,"longitude":1},"dropoffLocation":{"latitude":1,"longitude":2}"#
        let whole = #"{"rideOptionID":"wallaby","waypoints":{\#(ends)}}"#
        let body = whole.replacing(right, with: wrong)
        try #require(body != whole)
        try await rider.send("POST", "/v1/rides", body, headers: .key("k")).problem(code)
    }

    // MARK: Cancellation

    @Test(arguments: [RideStatus.requested, .accepted, .arriving, .inProgress, .completed])
    func `A ride can be cancelled until the pick-up, which frees the kangaroo`(status: RideStatus) async throws {
        let ride = try await rider.requestRide().good()
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

    @Test func `A kangaroo cancelled on its way waits at the point it had reached`() async throws {
        let ride = try await rider.requestRide().good()
        try await shop.go(ride.id, to: .accepted)
        shop.clock.advance(by: 6)
        let there = try #require(try await rider.ride(ride.id).good().driver).location
        try await rider.cancelRide(ride.id).good()
        let driver = try #require(try await shop.store.read { try $0.drivers.driver(id: "drv_wallaby_0") })
        #expect(driver.location.distance(to: there) < 1 && driver.location.distance(to: .operaHouse) < 900)
    }

    @Test(arguments: [false, true])
    func `Deleting an account cancels a ride before pick-up; each is deleted at its end`(isPickedUp: Bool) async throws
    {
        let ride = try await rider.requestRide().good()
        try await rider.cancelRide(ride.id).good()
        let next = try await rider.requestRide().good()
        if isPickedUp { try await shop.go(next.id, to: .inProgress) }
        try await rider.deleteAccount().good()
        #expect(try await shop.rows("SELECT id FROM rides").map { try $0.text(0) } == (isPickedUp ? [next.id] : []))
        try await shop.expectNoRides()
    }

    // MARK: Access

    @Test func `Another customer's ride is not found at any endpoint`() async throws {
        let other = try await shop.customer("bob@example.com")
        let ride = try await rider.requestRide().good()
        for id in [ride.id, "rid_nothing"] {
            try await other.ride(id).problem(.notFound)
            try await other.cancelRide(id).problem(.notFound)
            try await other.receipt(id).problem(.notFound)
            try await other.send("GET", "/v1/rides/\(id)/events").problem(.notFound)
        }
        #expect(try await other.rides() == [])
        #expect(try await rider.ride(ride.id).good().status == .requested)
    }

    @Test func `A customer's own rides are listed latest first, in pages`() async throws {
        _ = try await shop.rows("DELETE FROM drivers")
        let other = try await shop.customer("bob@example.com")
        var ids: [String] = []
        for _ in 0..<5 {
            ids.insert(try await rider.requestRide().good().id, at: 0)
            try await shop.go(ids[0], to: .noDriversAvailable)
            shop.clock.advance(by: 1)
        }
        try await other.requestRide().good()
        let pages = try await rider.pages(Contract.rides, limit: 2)
        #expect(pages.map { $0.map(\.id) } == [Array(ids[0..<2]), Array(ids[2..<4]), [ids[4]]])
        // A new ride, once no kangaroo came for the last, causes no gap or repeat between pages.
        let cursor = try #require(try await rider.call(Contract.rides, query: "limit=2").good().nextCursor)
        try await rider.requestRide().good()
        let second = try await rider.call(Contract.rides, query: "limit=2&cursor=\(cursor)").good()
        #expect(second.items.map(\.id) == Array(ids[2..<4]))
        // A cursor has a position in the list, but not the customer.
        let others = try await other.call(Contract.rides, query: "cursor=\(cursor)").good().items.map(\.id)
        #expect(others.allSatisfy { !ids.contains($0) })
        try await rider.call(Contract.orders, query: "cursor=\(cursor)").problem(.invalidCursor)
    }
}
