import Foundation
import KooberKit
import PouchContract
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import PouchWire
import Testing

@Suite(.timeLimit(.minutes(1)))
struct KooberNewRideRepositoryTests {
    private let server = StubRides()
    private let local = MemoryStore()
    private let wanted = NewRideRequest(
        waypoints: Fixture.trip, option: PricedRideOption(option: Fixture.wallaby, quote: Fixture.quote))

    /// A new process, with the data that an earlier one stored.
    private func process() throws -> KooberNewRideRepository {
        let service = try makeService(
            over: server, store: MemorySessionStore(Fixture.data(Shopper.ada.session)))
        let data = DataManager(service: service, store: local)
        let account = AccountManager(data: data)
        return KooberNewRideRepository(
            rides: RideManager(data: data, account: account), account: account, userSession: Shopper.ada.session)
    }

    private let elsewhere = NewRideRequest(
        waypoints: RideWaypoints(
            pickupLocation: Fixture.quay, dropoffLocation: GeoPoint(latitude: -33, longitude: 151)),
        option: PricedRideOption(option: Fixture.wallaby, quote: Fixture.quote))

    private func error(_ call: () async throws -> Ride) async -> ErrorMessage? {
        do { _ = try await call() } catch { return error as? ErrorMessage }
        return nil
    }

    private var keys: [String?] { server.requests("POST /v1/rides").map { $0.headers["Idempotency-Key"] } }

    @Test func `a request is sent with the fare that was shown`() async throws {
        let ride = try await process().request(wanted)
        #expect(ride == Fixture.ride(.requested))
        #expect(server.requests("POST /v1/rides").count == 1)
    }

    @Test func `a repeated request without an answer is the same one, even in a later process`() async throws {
        server.change { $0.losesAnswers = true }
        let first = try process()
        for _ in 1...2 { await #expect(throws: ErrorMessage.self) { _ = try await first.request(wanted) } }
        server.change { $0.losesAnswers = false }
        let ride = try await process().request(wanted)
        #expect(ride.id == "rid_1")
        #expect(Set(keys).count == 1)
    }

    @Test func `a request that arrived without an answer is found by the next process`() async throws {
        server.change { $0.losesAnswers = true }
        let first = try process()
        await #expect(throws: ErrorMessage.self) { _ = try await first.request(wanted) }
        server.change { $0.losesAnswers = false }
        #expect(try await process().activeRide()?.id == "rid_1")
        #expect(Set(keys).count == 1)
    }

    @Test func `a request that never arrived is sent by the next process, and given up if it is refused`()
        async throws
    {
        let path = "/v1/rides"
        server.change { $0.isDown = true }
        let first = try process()
        await #expect(throws: ErrorMessage.self) { _ = try await first.request(wanted) }
        // While the outcome is unknown, it is not given up.
        await #expect(throws: ErrorMessage.self) { _ = try await process().activeRide() }
        server.change {
            $0.isDown = false
            $0.refusals[path] = [.problem(.quoteExpired)]
        }
        #expect(try await process().activeRide() == nil)
        let count = keys.count
        #expect(try await process().activeRide() == nil)
        #expect(keys.count == count)
    }

    @Test func `a ride that has ended since is not in progress`() async throws {
        server.change { $0.losesAnswers = true }
        let first = try process()
        await #expect(throws: ErrorMessage.self) { _ = try await first.request(wanted) }
        server.change { $0.losesAnswers = false }
        server.put(Fixture.ride(.completed))
        #expect(try await process().activeRide() == nil)
    }

    @Test func `of two requests without an answer the later is repeated, and the other is given up`() async throws {
        server.change { $0.isDown = true }
        let first = try process()
        for request in [elsewhere, wanted] {
            await #expect(throws: ErrorMessage.self) { _ = try await first.request(request) }
        }
        server.change { $0.isDown = false }
        let tried = keys
        #expect(try await process().activeRide()?.id == "rid_1")
        #expect(Array(keys.dropFirst(tried.count)) == [try #require(tried.last)])
        server.put(Fixture.ride(.completed))
        #expect(try await process().activeRide() == nil)
        #expect(keys.count == tried.count + 1)
    }

    @Test func `a request whose outcome was not read is kept, and is repeated`() async throws {
        server.change { $0.losesAnswers = true }
        let first = try process()
        await #expect(throws: ErrorMessage.self) { _ = try await first.request(wanted) }
        server.change {
            $0.losesAnswers = false
            $0.refusals["/v1/rides"] = [.problem(.forbidden)]
        }
        await #expect(throws: ErrorMessage.self) { _ = try await process().activeRide() }
        let count = keys.count
        #expect(try await process().activeRide()?.id == "rid_1")
        #expect(keys.count == count + 1)
        #expect(Set(keys).count == 1)
    }

    @Test(arguments: [true, false])
    func `the error says whether a request was refused or its outcome is unknown`(_ isLost: Bool) async throws {
        server.change {
            $0.losesAnswers = isLost
            $0.refusals["/v1/rides"] = isLost ? [] : [.problem(.quoteExpired)]
        }
        let error = await error { try await process().request(wanted) }
        #expect(
            error?.title
                == (isLost ? "Your ride may have been requested" : "Your ride was not requested"))
        #expect(error?.message.contains("Confirm again") == isLost)
    }

    @Test(arguments: [true, false])
    func `the error says whether a cancellation was refused or its outcome is unknown`(_ isLost: Bool) async throws {
        let ride = Fixture.ride(isLost ? .accepted : .inProgress)
        server.put(ride)
        server.change { $0.losesAnswers = isLost }
        let error = await error { try await process().cancel(ride) }
        #expect(
            error?.title
                == (isLost ? "Your ride may have been cancelled" : "Your ride was not cancelled"))
        #expect(error?.message.contains("Cancel again") == isLost)
    }

    @Test func `the ride in progress is returned, even to another destination`() async throws {
        server.put(Fixture.ride(.accepted))
        for request in [wanted, elsewhere] {
            server.change { $0.refusals["/v1/rides"] = [.problem(.rideInProgress)] }
            #expect(try await process().request(request) == Fixture.ride(.accepted))
        }
    }

    @Test func `a ride that has ended since is not returned`() async throws {
        server.put(Fixture.ride(.completed))
        server.change { $0.refusals["/v1/rides"] = [.problem(.rideInProgress)] }
        #expect(await error { try await process().request(wanted) }?.title == "Your ride was not requested")
    }

    @Test func `earlier requests are given up once there is a ride`() async throws {
        server.change { $0.isDown = true }
        let repository = try process()
        await #expect(throws: ErrorMessage.self) { _ = try await repository.request(wanted) }
        server.change { $0.isDown = false }
        let fresh = FareQuote(
            id: "quo_2", rideOptionID: "wallaby", fare: Fixture.euros(950), distanceMetres: 600, etaSeconds: 90,
            expiresAt: Fixture.now)
        let ride = try await repository.request(
            NewRideRequest(
                waypoints: wanted.waypoints, option: PricedRideOption(option: Fixture.wallaby, quote: fresh)))
        server.put(Fixture.ride(.completed, id: ride.id))
        let count = keys.count
        #expect(try await repository.activeRide() == nil)
        #expect(keys.count == count)
    }

    @Test func `a ride is cancelled`() async throws {
        server.put(Fixture.ride(.accepted))
        #expect(try await process().cancel(Fixture.ride(.accepted)).status == .cancelledByRider)
    }

    @Test func `a ride is followed to its end`() async throws {
        server.put(Fixture.ride(.requested))
        var updates = try process().updates(of: Fixture.ride(.requested)).makeAsyncIterator()
        #expect(try await updates.next() == Fixture.ride(.requested))
        let connection = await server.connection()
        connection.status(Fixture.ride(.accepted))
        #expect(try await updates.next() == Fixture.ride(.accepted))
        connection.status(Fixture.ride(.accepted).next(.cancelledByRider))
        #expect(try await updates.next()?.status == .cancelledByRider)
        connection.cut()
        #expect(try await updates.next() == nil)
    }

    @Test func `a driver who gives up is not shown while another one is searched`() async throws {
        let (requested, accepted) = (Fixture.ride(.requested), Fixture.ride(.accepted))
        server.put(requested)
        var updates = try process().updates(of: requested).makeAsyncIterator()
        #expect(try await updates.next() == requested)
        let connection = await server.connection()
        let again = accepted.next(.cancelledByDriver).next(.requested)
        for ride in [accepted, accepted.next(.cancelledByDriver), again] { connection.status(ride) }
        #expect(try await updates.next() == accepted)
        #expect(try await updates.next() == again)
    }

    @Test func `a driver who gives up is shown at the end if no other one is found`() async throws {
        let end = Fixture.ride(.accepted).next(.cancelledByDriver)
        server.put(end)
        server.change { $0.refusals["/v1/rides/rid_1/events"] = [NetworkResponse(status: 204)] }
        var updates = try process().updates(of: Fixture.ride(.accepted)).makeAsyncIterator()
        #expect(try await updates.next() == end)
        #expect(try await updates.next() == nil)
    }

    @Test func `a ride of another user cannot be followed`() async throws {
        server.put(Fixture.ride(.requested), of: .bea)
        let repository = try process()
        await #expect {
            for try await _ in repository.updates(of: Fixture.ride(.requested)) {}
        } throws: {
            ($0 as? ErrorMessage)?.title == "Your ride cannot be followed"
        }
    }
}

struct KooberRideOptionRepositoryTests {
    private let wallaroo = RideOption(
        id: "wallaroo", name: "Wallaroo", capacity: 2, maxWeightGrams: 40_000, images: .init(normal: "", selected: ""))
    private let kangaroo = RideOption(
        id: "kangaroo", name: "Kangaroo", capacity: 3, maxWeightGrams: 60_000, images: .init(normal: "", selected: ""))

    @Test func `options keep their order, each with its own fare, and one without a fare is left out`() async throws {
        let quotes = ["kangaroo", "wallaby"].map { option in
            FareQuote(
                id: "quo_" + option, rideOptionID: option, fare: Fixture.euros(900), distanceMetres: 1, etaSeconds: 1,
                expiresAt: Fixture.now)
        }
        let transport = StubTransport { [wallaroo, kangaroo] request in
            request.method == "POST"
                ? .json(Page(items: quotes)) : .json(Page(items: [Fixture.wallaby, wallaroo, kangaroo]))
        }
        let data = DataManager(
            service: try makeService(
                over: transport, store: MemorySessionStore(Fixture.data(Shopper.ada.session))))
        let account = AccountManager(data: data)
        let repository = KooberRideOptionRepository(
            rides: RideManager(data: data, account: account), account: account, userSession: Shopper.ada.session)
        let options = try await repository.rideOptions(for: Fixture.trip)
        #expect(options.map(\.id) == ["wallaby", "kangaroo"])
        #expect(options.map(\.quote.id) == ["quo_wallaby", "quo_kangaroo"])
    }
}
