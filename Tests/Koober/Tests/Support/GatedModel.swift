import KooberKit
import KooberScenarios
import PouchEntities
import Synchronization

/// A call to the model layer, with all its values.
enum ModelCall: Hashable {
    case readSession
    case save(UserSession)
    case delete(UserSession)
    case signIn(Credentials)
    case signUp(NewAccount)
    case signOut(UserSession)
    case findLocation
    case search(String, GeoPoint)
    case loadOptions(RideWaypoints)
    case findRide
    case request(NewRideRequest)
    case cancel(Ride.ID)
}

/// A model layer whose every part is this object, which learns of each call as a value.
protocol CalledModel: KooberModelFactory, UserSessionDataStore, AuthRemoteAPI, ConnectivitySource, UserLocationSource,
    LocationRepository, RideOptionRepository, NewRideRepository
{
    /// The answers to the calls that find something or nothing.
    var storedSession: UserSession? { get }
    var foundRide: Ride? { get }

    /// - Parameter sample: the answer, unless the test gives another one.
    func call<Answer: Sendable>(_ call: ModelCall, _ sample: Answer) async throws(ErrorMessage) -> Answer
}

extension CalledModel {
    func makeUserSessionDataStore() -> any UserSessionDataStore { self }
    func makeAuthRemoteAPI() -> any AuthRemoteAPI { self }
    func makeConnectivitySource() -> any ConnectivitySource { self }
    func makeUserLocationSource() -> any UserLocationSource { self }
    func makeLocationRepository(for userSession: UserSession) -> any LocationRepository { self }
    func makeRideOptionRepository(for userSession: UserSession) -> any RideOptionRepository { self }
    func makeNewRideRepository(for userSession: UserSession) -> any NewRideRepository { self }

    func readUserSession() async throws(ErrorMessage) -> UserSession? { try await call(.readSession, storedSession) }
    func save(_ userSession: UserSession) async throws(ErrorMessage) { try await call(.save(userSession), ()) }
    func delete(_ userSession: UserSession) async throws(ErrorMessage) { try await call(.delete(userSession), ()) }
    func signIn(_ credentials: Credentials) async throws(ErrorMessage) -> UserSession {
        try await call(.signIn(credentials), Sample.session)
    }
    func signUp(_ account: NewAccount) async throws(ErrorMessage) -> UserSession {
        try await call(.signUp(account), Sample.session)
    }
    func signOut(_ userSession: UserSession) async throws(ErrorMessage) {
        _ = try await call(.signOut(userSession), true)
    }
    func userLocation() async throws(ErrorMessage) -> GeoPoint { try await call(.findLocation, Sample.sydney) }
    func searchForLocations(using query: String, near pickupLocation: GeoPoint) async throws(ErrorMessage)
        -> [NamedLocation]
    { try await call(.search(query, pickupLocation), [Sample.bondi, Sample.manly]) }
    func rideOptions(for waypoints: RideWaypoints) async throws(ErrorMessage) -> [PricedRideOption] {
        try await call(.loadOptions(waypoints), Sample.options)
    }
    func request(_ request: NewRideRequest) async throws(ErrorMessage) -> Ride {
        try await call(.request(request), Sample.ride())
    }
    func activeRide() async throws(ErrorMessage) -> Ride? { try await call(.findRide, foundRide) }
    func cancel(_ id: Ride.ID) async throws(ErrorMessage) -> Ride {
        try await call(.cancel(id), Sample.ride(.cancelledByRider))
    }

    func withoutErrors<Element: Sendable>(_ stream: AsyncThrowingStream<Element, any Error>) -> AsyncStream<Element> {
        AsyncStream { continuation in
            let task = Task {
                do { for try await element in stream { continuation.yield(element) } } catch {}
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// A model layer whose every call waits at one gate, so that a test sees the order of all calls, and fails any of them.
final class GatedModel: CalledModel {
    let calls = CallGate<ModelCall, any Sendable>()
    let ends = TestStream<ErrorMessage>()
    let rides = TestStream<Ride>()
    let storedSession: UserSession?
    let foundRide: Ride?

    init(storedSession: UserSession? = nil, activeRide: Ride? = nil) {
        (self.storedSession, foundRide) = (storedSession, activeRide)
    }

    /// Waits for this call alone, and answers it.
    func passes(_ call: ModelCall) async throws { try await calls.passes { $0 == call } }
    @discardableResult
    func fails(_ call: ModelCall, with error: ErrorMessage = Sample.error) async throws -> ErrorMessage {
        try await calls.fails(error) { $0 == call }
    }
    func answers(
        _ call: ModelCall, successfully succeeds: Bool, orWith error: ErrorMessage = Sample.error
    ) async throws {
        if succeeds { try await passes(call) } else { try await fails(call, with: error) }
    }

    func call<Answer: Sendable>(_ call: ModelCall, _ sample: Answer) async throws(ErrorMessage) -> Answer {
        _ = try await calls.call(call) { () async throws(ErrorMessage) in sample }
        return sample
    }

    func end(of userSession: UserSession) -> AsyncStream<ErrorMessage> { withoutErrors(ends.make()) }
    func updates(of id: Ride.ID) -> AsyncThrowingStream<Ride, any Error> { rides.make() }
    func connectivity() -> AsyncStream<Bool> { AsyncStream { $0.yield(true) } }
    func onRenewal(_ store: @escaping SessionWriter) {}
}

/// A stream whose elements the test sends to all of its followers.
final class TestStream<Element: Sendable>: Sendable {
    typealias Stream = AsyncThrowingStream<Element, any Error>

    private let followers = Mutex<[Int: Stream.Continuation]>([:])
    private let count = Mutex(0)

    /// The number of followers so far.
    var followed: Int { count.withLock { $0 } }
    /// The number of followers that have not left.
    var followerCount: Int { followers.withLock { $0.count } }

    func make() -> Stream {
        let id = count.withLock { count in
            count += 1
            return count
        }
        let (stream, continuation) = Stream.makeStream()
        continuation.onTermination = { [weak self] _ in _ = self?.followers.withLock { $0.removeValue(forKey: id) } }
        followers.withLock { $0[id] = continuation }
        return stream
    }

    func send(_ element: Element) { for follower in followers.withLock({ $0 }).values { follower.yield(element) } }

    func finish(throwing error: ErrorMessage? = nil) {
        for follower in followers.withLock({ $0 }).values { follower.finish(throwing: error) }
    }
}
