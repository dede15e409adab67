import ClientTesting
import Foundation
import KooberKit
import KooberTexts
import PouchContract
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import PouchTesting
import PouchWire
import Testing

@Suite(.timeLimit(.minutes(5)))
struct KooberNewRideRepositoryTests {
    private let shop = TestShop()
    private let local = MemoryStore()
    private let wanted = Self.request(to: RideWaypoints.sample().dropoffLocation)
    private let elsewhere = Self.request(to: GeoPoint(latitude: -33, longitude: 151))

    private static func request(to dropoff: GeoPoint) -> NewRideRequest {
        NewRideRequest(
            waypoints: RideWaypoints(pickupLocation: RideWaypoints.sample().pickupLocation, dropoffLocation: dropoff),
            option: PricedRideOption(option: RideOption.sample(), quote: FareQuote.sample()))
    }

    /// A new process, with the data that an earlier one stored.
    private func process() throws -> KooberNewRideRepository {
        let service = try makeService(over: shop, store: MemorySessionStore(Fixture.data(Shopper.ada.session)))
        let data = DataManager(service: service, store: local)
        let account = AccountManager(data: data)
        return KooberNewRideRepository(
            rides: RideManager(data: data, account: account), account: account, userSession: Shopper.ada.session)
    }

    private func error(_ call: () async throws -> Ride) async -> ErrorMessage? {
        do { _ = try await call() } catch { return error as? ErrorMessage }
        return nil
    }

    /// Sends the requests in one process, in vain.
    private func requests(_ requests: NewRideRequest..., while connection: TestShop.Connection) async throws {
        shop.connection = connection
        let repository = try process()
        for request in requests {
            await #expect(throws: ErrorMessage.self) { _ = try await repository.request(request) }
        }
        shop.connection = .up
    }

    private var keys: [String?] { shop.requests(to: Contract.requestRide).map { $0.headers["Idempotency-Key"] } }

    @Test func `a request is sent with the fare that was shown`() async throws {
        let ride = try await process().request(wanted)
        #expect(ride == Ride.sample(.requested))
        #expect(shop.requests(to: Contract.requestRide).count == 1)
    }

    @Test func `a repeated request without an answer is the same one, even in a later process`() async throws {
        try await requests(wanted, wanted, while: .losesAnswers)
        let ride = try await process().request(wanted)
        #expect(ride.id == "rid_1" && Set(keys).count == 1)
    }

    @Test func `a request that arrived without an answer is found by the next process`() async throws {
        try await requests(wanted, while: .losesAnswers)
        #expect(try await process().activeRide()?.id == "rid_1")
        #expect(Set(keys).count == 1)
    }

    @Test func `a request that never arrived is sent by the next process, and given up if it is refused`()
        async throws
    {
        shop.connection = .losesRequests
        let first = try process()
        await #expect(throws: ErrorMessage.self) { _ = try await first.request(wanted) }
        // While the outcome is unknown, it is not given up.
        await #expect(throws: ErrorMessage.self) { _ = try await process().activeRide() }
        shop.connection = .up
        shop.failNext(Contract.requestRide, with: .problem(.quoteExpired))
        #expect(try await process().activeRide() == nil)
        let count = keys.count
        #expect(try await process().activeRide() == nil)
        #expect(keys.count == count)
    }

    @Test func `a ride that has ended since is not in progress`() async throws {
        try await requests(wanted, while: .losesAnswers)
        shop.put(Ride.sample(.completed))
        #expect(try await process().activeRide() == nil)
    }

    @Test func `of two requests without an answer the later is repeated, and the other is given up`() async throws {
        try await requests(elsewhere, wanted, while: .losesRequests)
        let tried = keys
        #expect(try await process().activeRide()?.id == "rid_1")
        #expect(Array(keys.dropFirst(tried.count)) == [try #require(tried.last)])
        shop.put(Ride.sample(.completed))
        #expect(try await process().activeRide() == nil)
        #expect(keys.count == tried.count + 1)
    }

    @Test func `a request whose outcome was not read is kept, and is repeated`() async throws {
        try await requests(wanted, while: .losesAnswers)
        shop.failNext(Contract.requestRide, with: .problem(.forbidden))
        await #expect(throws: ErrorMessage.self) { _ = try await process().activeRide() }
        let count = keys.count
        #expect(try await process().activeRide()?.id == "rid_1")
        #expect(keys.count == count + 1)
        #expect(Set(keys).count == 1)
    }

    @Test(arguments: [true, false])
    func `the error says whether a request was refused or its outcome is unknown`(_ isLost: Bool) async throws {
        shop.failNext(Contract.requestRide, with: isLost ? .lostAnswer : .problem(.quoteExpired))
        let error = await error { try await process().request(wanted) }
        #expect(error?.title == (isLost ? .rideMaybeRequested : .rideNotRequested))
        #expect(error?.message == (isLost ? .sentences([.timedOut, .rideMaybeRequestedAdvice]) : .quoteExpired))
    }

    @Test(arguments: [true, false])
    func `the error says whether a cancellation was refused or its outcome is unknown`(_ isLost: Bool) async throws {
        let ride = Ride.sample(isLost ? .accepted : .inProgress)
        shop.put(ride)
        if isLost { shop.connection = .losesAnswers }
        let error = await error { try await process().cancel(ride.id) }
        #expect(error?.title == (isLost ? .rideMaybeCancelled : .rideNotCancelled))
        #expect(error?.message == (isLost ? .sentences([.timedOut, .rideMaybeCancelledAdvice]) : .notCancellable))
    }

    @Test func `the ride in progress is returned, even to another destination`() async throws {
        shop.put(Ride.sample(.accepted))
        for request in [wanted, elsewhere] {
            shop.failNext(Contract.requestRide, with: .problem(.rideInProgress))
            #expect(try await process().request(request) == Ride.sample(.accepted))
        }
    }

    @Test func `a ride that has ended since is not returned`() async throws {
        shop.put(Ride.sample(.completed))
        shop.failNext(Contract.requestRide, with: .problem(.rideInProgress))
        #expect(await error { try await process().request(wanted) }?.title == .rideNotRequested)
    }

    @Test func `earlier requests are given up once there is a ride`() async throws {
        shop.connection = .losesRequests
        let repository = try process()
        await #expect(throws: ErrorMessage.self) { _ = try await repository.request(wanted) }
        shop.connection = .up
        let ride = try await repository.request(elsewhere)
        shop.put(Ride.sample(.completed, id: ride.id))
        let count = keys.count
        #expect(try await repository.activeRide() == nil)
        #expect(keys.count == count)
    }

    @Test func `a ride is cancelled`() async throws {
        shop.put(Ride.sample(.accepted))
        #expect(try await process().cancel(Ride.sample(.accepted).id).status == .cancelledByRider)
    }

    @Test func `a ride is followed to its end`() async throws {
        shop.put(Ride.sample(.requested))
        var updates = try process().updates(of: Ride.sample(.requested).id).makeAsyncIterator()
        #expect(try await updates.next() == Ride.sample(.requested))
        let connection = try await shop.rideStream()
        connection.send(status: Ride.sample(.accepted))
        #expect(try await updates.next() == Ride.sample(.accepted))
        connection.send(status: Ride.sample(.accepted).next(.cancelledByRider))
        #expect(try await updates.next()?.status == .cancelledByRider)
        connection.cut()
        #expect(try await updates.next() == nil)
    }

    @Test func `a driver who gives up is not shown while another one is searched`() async throws {
        let (requested, accepted) = (Ride.sample(.requested), Ride.sample(.accepted))
        shop.put(requested)
        var updates = try process().updates(of: requested.id).makeAsyncIterator()
        #expect(try await updates.next() == requested)
        let connection = try await shop.rideStream()
        let again = accepted.next(.cancelledByDriver).next(.requested)
        for ride in [accepted, accepted.next(.cancelledByDriver), again] { connection.send(status: ride) }
        #expect(try await updates.next() == accepted)
        #expect(try await updates.next() == again)
    }

    @Test func `a driver who gives up is shown at the end if no other one is found`() async throws {
        let end = Ride.sample(.accepted).next(.cancelledByDriver)
        shop.put(end)
        shop.failNext(Contract.rideEvents, with: .answer(NetworkResponse(status: 204)))
        var updates = try process().updates(of: Ride.sample(.accepted).id).makeAsyncIterator()
        #expect(try await updates.next() == end)
        #expect(try await updates.next() == nil)
    }

    @Test func `a ride of another user cannot be followed`() async throws {
        shop.put(Ride.sample(.requested), of: Shopper.bea.owner)
        let repository = try process()
        await #expect {
            for try await _ in repository.updates(of: Ride.sample(.requested).id) {}
        } throws: { ($0 as? ErrorMessage)?.title == .rideNotFollowed }
    }
}

struct KooberRideOptionRepositoryTests {
    @Test func `options keep their order, each with its own fare, and one without a fare is left out`() async throws {
        let offered = ["wallaby", "wallaroo", "kangaroo"].map { RideOption.sample(id: $0) }
        let quotes = ["kangaroo", "wallaby"].map { FareQuote.sample(rideOptionID: $0) }
        let transport = StubTransport { request in
            request.method == "POST" ? .json(Page(items: quotes)) : .json(Page(items: offered))
        }
        let data = DataManager(
            service: try makeService(over: transport, store: MemorySessionStore(Fixture.data(Shopper.ada.session))))
        let account = AccountManager(data: data)
        let repository = KooberRideOptionRepository(
            rides: RideManager(data: data, account: account), account: account, userSession: Shopper.ada.session)
        let options = try await repository.rideOptions(for: RideWaypoints.sample())
        #expect(options.map(\.id) == ["wallaby", "kangaroo"])
        #expect(options.map(\.quote) == [quotes[1], quotes[0]])
    }
}
