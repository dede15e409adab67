import ClientTesting
import Foundation
import KooberKit
import KooberScenarios
import KooberTexts
import PouchEntities
import PouchTesting

/// A ride service in memory with one device.
actor SampleService: KooberService, UserSessionDataStore, AuthRemoteAPI {
    nonisolated let rider = Rider(
        name: "Johnny", email: "johnny@example.org", mobileNumber: "510-736-8754", password: "password")
    nonisolated let otherRider = Rider(
        name: "Ada", email: "ada@example.org", mobileNumber: "", password: "correct horse")
    nonisolated var model: any KooberModelFactory { SampleModel(service: self) }

    private var accounts: [String: Rider] = [:]
    /// The session on the device.
    private var stored: UserSession?
    private var sessions: [UserSession.ID: UserSession] = [:]
    private var ends: [String: [AsyncStream<ErrorMessage>.Continuation]] = [:]
    /// The sessions that ended elsewhere.
    private var ended: Set<UserSession.ID> = []
    private var rides: [Ride] = []
    /// The account of each ride.
    private var owners: [Ride.ID: String] = [:]
    private var followers: [Ride.ID: [AsyncThrowingStream<Ride, any Error>.Continuation]] = [:]
    private var count = 0

    init() { accounts = [rider.email: rider, otherRider.email: otherRider] }
    func readUserSession() -> UserSession? { stored }
    func save(_ session: UserSession) { stored = session }
    func delete(_ session: UserSession) { if stored?.id == session.id { stored = nil } }

    func signIn(_ credentials: Credentials) throws(ErrorMessage) -> UserSession {
        guard let rider = accounts[credentials.email], rider.password == credentials.password.text else {
            throw ErrorMessage(title: .signInFailed, message: .wrongCredentials)
        }
        return startSession(of: rider)
    }

    func signUp(_ account: NewAccount) throws(ErrorMessage) -> UserSession {
        guard accounts[account.email] == nil else { throw ErrorMessage(title: .signUpFailed, message: .emailTaken) }
        let rider = Rider(
            name: account.name, email: account.email, mobileNumber: account.mobileNumber,
            password: account.password.text)
        accounts[account.email] = rider
        return startSession(of: rider)
    }

    private func startSession(of rider: Rider) -> UserSession {
        count += 1
        let session = UserSession(
            id: "ses_\(count)", kind: .customer,
            profile: Profile(
                id: "acc_" + rider.email, name: rider.name, email: rider.email,
                mobileNumber: rider.mobileNumber.isEmpty ? nil : rider.mobileNumber),
            remoteSession: Fixture.session("access-\(count)", refresh: "refresh-\(count)").remoteSession)
        sessions[session.id] = session
        return session
    }

    func signOut(_ session: UserSession) {
        sessions[session.id] = nil
        for continuation in ends.removeValue(forKey: session.id) ?? [] { continuation.finish() }
    }

    func endSessions(of rider: Rider) {
        for session in sessions.values where session.profile?.email == rider.email {
            sessions[session.id] = nil
            ended.insert(session.id)
            for continuation in ends.removeValue(forKey: session.id) ?? [] { reportEnd(continuation) }
        }
    }

    nonisolated func end(of userSession: UserSession) -> AsyncStream<ErrorMessage> {
        AsyncStream { continuation in Task { await reportEnd(of: userSession, continuation) } }
    }

    nonisolated func onRenewal(_ store: @escaping SessionWriter) {}

    private func reportEnd(of session: UserSession, _ continuation: AsyncStream<ErrorMessage>.Continuation) {
        // The session may have ended before this call.
        if ended.contains(session.id) { return reportEnd(continuation) }
        ends[session.id, default: []].append(continuation)
    }

    private func reportEnd(_ continuation: AsyncStream<ErrorMessage>.Continuation) {
        continuation.yield(ErrorMessage(title: .signedOut, message: .sessionEndedAdvice))
        continuation.finish()
    }

    func places(_ query: String) -> [NamedLocation] {
        Self.places.filter { query.isEmpty || $0.name.lowercased().contains(query.lowercased()) }
    }

    func request(_ request: NewRideRequest, by session: UserSession) -> Ride {
        if let ride = activeRide(of: session) { return ride }
        count += 1
        let ride = Ride(
            id: "rid_\(count)", status: .requested, waypoints: request.waypoints, rideOptionID: request.option.id,
            fare: request.option.quote.fare, driver: nil, etaSeconds: nil, createdAt: Date.sample,
            history: [Ride.Event(status: .requested, at: Date.sample)])
        owners[ride.id] = session.profile?.id
        rides.append(ride)
        return ride
    }

    func activeRide(of session: UserSession) -> Ride? {
        rides.first { owners[$0.id] == session.profile?.id && !$0.status.isFinal }
    }

    func cancel(_ id: Ride.ID) throws(ErrorMessage) -> Ride {
        guard let ride = rides.first(where: { $0.id == id }), ride.status.isCancellable else {
            throw ErrorMessage(title: .rideNotCancelled, message: .notCancellable)
        }
        return change(ride.applying(RideUpdate(status: .cancelledByRider, history: ride.history)))
    }

    func follow(_ id: Ride.ID, _ continuation: AsyncThrowingStream<Ride, any Error>.Continuation) {
        guard let ride = rides.first(where: { $0.id == id }) else { return continuation.finish() }
        continuation.yield(ride)
        if ride.status.isFinal { continuation.finish() } else { followers[ride.id, default: []].append(continuation) }
    }

    /// Moves each ride to its next state: accepted, closer, arriving, in progress, completed.
    func timePasses() {
        for ride in rides where !ride.status.isFinal {
            let driver = Ride.Driver(name: "Skippy", rating: 4.5, location: Self.places[1].location)
            let near = Ride.Driver(name: "Skippy", rating: 4.5, location: ride.waypoints.pickupLocation)
            switch ride.status {
            case .requested: status(.accepted, of: ride, driver, eta: 60)
            case .accepted where ride.driver == driver:
                _ = change(ride.applying(RideUpdate(driver: near, etaSeconds: 10)))
            case .accepted: status(.arriving, of: ride, near, eta: 0)
            case .arriving: status(.inProgress, of: ride, near, eta: 600)
            default: status(.completed, of: ride, near, eta: nil)
            }
        }
    }

    private func status(_ status: RideStatus, of ride: Ride, _ driver: Ride.Driver, eta: Int?) {
        _ = change(
            ride.applying(
                RideUpdate(
                    status: status, driver: driver, etaSeconds: eta,
                    history: ride.history + [Ride.Event(status: status, at: Date.sample)])))
    }

    private func change(_ ride: Ride) -> Ride {
        rides = rides.map { $0.id == ride.id ? ride : $0 }
        for continuation in followers[ride.id] ?? [] {
            continuation.yield(ride)
            if ride.status.isFinal { continuation.finish() }
        }
        if ride.status.isFinal { followers[ride.id] = nil }
        return ride
    }

    private static let places = [
        NamedLocation(name: "Sydney", location: Sample.sydney),
        NamedLocation(name: "Opera House", location: GeoPoint(latitude: -33.8568, longitude: 151.2153)),
        Sample.bondi, Sample.manly,
    ]
}

/// The model layer of a service in memory. Its objects have no state of their own.
struct SampleModel: KooberModelFactory {
    let service: SampleService

    func makeUserSessionDataStore() -> any UserSessionDataStore { service }
    func makeAuthRemoteAPI() -> any AuthRemoteAPI { service }
    func makeConnectivitySource() -> any ConnectivitySource { SampleConnectivity() }
    func makeUserLocationSource() -> any UserLocationSource { FixedUserLocationSource(Sample.sydney) }
    func makeLocationRepository(for userSession: UserSession) -> any LocationRepository { repository(userSession) }
    func makeRideOptionRepository(for userSession: UserSession) -> any RideOptionRepository { repository(userSession) }
    func makeNewRideRepository(for userSession: UserSession) -> any NewRideRepository { repository(userSession) }

    private func repository(_ session: UserSession) -> SampleRepository {
        SampleRepository(service: service, session: session)
    }
}

private final class SampleConnectivity: ConnectivitySource {
    func connectivity() -> AsyncStream<Bool> { AsyncStream { $0.yield(true) } }
}

private final class SampleRepository: LocationRepository, RideOptionRepository, NewRideRepository {
    private let service: SampleService
    private let session: UserSession

    init(service: SampleService, session: UserSession) { (self.service, self.session) = (service, session) }

    func searchForLocations(using query: String, near pickupLocation: GeoPoint) async throws(ErrorMessage)
        -> [NamedLocation]
    { await service.places(query) }

    func rideOptions(for waypoints: RideWaypoints) -> [PricedRideOption] { Sample.options }

    func request(_ request: NewRideRequest) async throws(ErrorMessage) -> Ride {
        await service.request(request, by: session)
    }

    func activeRide() async throws(ErrorMessage) -> Ride? { await service.activeRide(of: session) }
    func cancel(_ id: Ride.ID) async throws(ErrorMessage) -> Ride { try await service.cancel(id) }

    func updates(of id: Ride.ID) -> AsyncThrowingStream<Ride, any Error> {
        AsyncThrowingStream { [service] continuation in Task { await service.follow(id, continuation) } }
    }
}
