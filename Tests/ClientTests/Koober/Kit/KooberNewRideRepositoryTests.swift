import Foundation
import KooberKit
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

    /// One that begins, with what an earlier one left on the device.
    private func process() throws -> KooberNewRideRepository {
        let service = try makeService(
            over: server, store: MemorySessionStore(Fixture.data(Shopper.ada.session)))
        let data = DataManager(service: service, store: local)
        let account = AccountManager(data: data)
        return KooberNewRideRepository(
            rides: RideManager(data: data, account: account), account: account, userSession: Shopper.ada.session)
    }

    private var keys: [String?] { server.requests("POST /v1/rides").map { $0.headers["Idempotency-Key"] } }

    @Test func `a request is sent with the price that was shown`() async throws {
        let ride = try await process().request(wanted)
        #expect(ride == Fixture.ride(.requested))
        #expect(server.requests("POST /v1/rides").count == 1)
    }

    @Test func `a request without an answer is the same when it is made again, also by a later process`() async throws {
        server.change { $0.losesAnswers = true }
        let first = try process()
        for _ in 1...2 { await #expect(throws: ErrorMessage.self) { _ = try await first.request(wanted) } }
        server.change { $0.losesAnswers = false }
        let ride = try await process().request(wanted)
        #expect(ride.id == "rid_1")
        #expect(Set(keys).count == 1)
    }

    @Test func `a request that had arrived unheard is found by the next process`() async throws {
        server.change { $0.losesAnswers = true }
        let first = try process()
        await #expect(throws: ErrorMessage.self) { _ = try await first.request(wanted) }
        server.change { $0.losesAnswers = false }
        #expect(try await process().activeRide()?.id == "rid_1")
        #expect(Set(keys).count == 1)
    }

    @Test func `a request that never arrived is made by the next process, and given up where it is refused`()
        async throws
    {
        let path = "/v1/rides"
        server.change { $0.isDown = true }
        let first = try process()
        await #expect(throws: ErrorMessage.self) { _ = try await first.request(wanted) }
        // As long as nobody knows, it is not given up.
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

    @Test func `a ride that has ended since is not under way`() async throws {
        server.change { $0.losesAnswers = true }
        let first = try process()
        await #expect(throws: ErrorMessage.self) { _ = try await first.request(wanted) }
        server.change { $0.losesAnswers = false }
        server.put(Fixture.ride(.completed))
        #expect(try await process().activeRide() == nil)
    }

    @Test func `a ride that is under way is the answer where it is the one that was wanted`() async throws {
        server.put(Fixture.ride(.accepted))
        server.change { $0.refusals["/v1/rides"] = [.problem(.rideInProgress)] }
        #expect(try await process().request(wanted) == Fixture.ride(.accepted))
    }

    @Test func `a ride to elsewhere is not the answer`() async throws {
        server.put(Fixture.ride(.accepted))
        server.change { $0.refusals["/v1/rides"] = [.problem(.rideInProgress)] }
        let elsewhere = NewRideRequest(
            waypoints: RideWaypoints(
                pickupLocation: Fixture.quay, dropoffLocation: GeoPoint(latitude: -33, longitude: 151)),
            option: wanted.option)
        let repository = try process()
        await #expect {
            _ = try await repository.request(elsewhere)
        } throws: {
            ($0 as? ErrorMessage)?.title == "Your ride was not requested"
        }
    }

    @Test func `what was asked for before is not asked for again once there is a ride`() async throws {
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

    @Test func `a ride is cancelled, and one that is too far is not`() async throws {
        server.put(Fixture.ride(.accepted))
        let repository = try process()
        #expect(try await repository.cancel(Fixture.ride(.accepted)).status == .cancelledByRider)
        server.put(Fixture.ride(.inProgress))
        await #expect {
            _ = try await repository.cancel(Fixture.ride(.inProgress))
        } throws: {
            ($0 as? ErrorMessage)?.title == "Your ride was not cancelled"
        }
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

    @Test func `a ride of somebody else cannot be followed`() async throws {
        server.put(Fixture.ride(.requested), of: .bea)
        let repository = try process()
        await #expect {
            for try await _ in repository.updates(of: Fixture.ride(.requested)) {}
        } throws: {
            ($0 as? ErrorMessage)?.title == "Your ride cannot be followed"
        }
    }
}
