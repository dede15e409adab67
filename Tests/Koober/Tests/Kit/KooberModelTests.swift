import Foundation
import KooberClient
import KooberKit
import KooberTexts
import PouchClient
import PouchEntities
import PouchNetwork
import PouchTesting
import PouchWire
import Testing

/// The whole model layer over a service in memory.
@Suite(.timeLimit(.minutes(5)))
struct KooberModelTests {
    private let shop = TestShop()
    private let dataStore = CodedUserSessionDataStore(bytes: MemorySessionStore(), coder: UserSessionJSONCoder())
    private let ada: Credentials

    init() throws { ada = try Credentials(email: "ada@example.org", password: Secret("correct")) }

    private func process() throws -> KooberModel {
        KooberModel(
            server: try #require(URL(string: "https://koober.example")), transport: shop,
            userSessionDataStore: dataStore)
    }

    private func sessions(_ model: KooberModel) -> any UserSessionRepository {
        KooberUserSessionRepository(dataStore: model.makeUserSessionDataStore(), remoteAPI: model.makeAuthRemoteAPI())
    }

    @Test func `a session lasts beyond the process`() async throws {
        let session = try await sessions(process()).signIn(ada)
        let model = try process()
        #expect(try await sessions(model).readUserSession() == session)
        #expect(try await model.makeNewRideRepository(for: session).activeRide() == nil)
        #expect(shop.requests(to: Contract.signIn).count == 1)
    }

    @Test func `refreshed tokens are stored, and used by the next process`() async throws {
        let model = try process()
        let session = try await sessions(model).signIn(ada)
        let later = session.remoteSession.refreshTokenExpiresAt.addingTimeInterval(60)
        let tokens = RemoteSession(
            accessToken: "renewed", accessTokenExpiresAt: later, refreshToken: "renewed, too",
            refreshTokenExpiresAt: later)
        let renewed = UserSession(id: session.id, kind: session.kind, profile: session.profile, remoteSession: tokens)
        shop.answer(Contract.refreshSession) { _ in .json(renewed) }
        shop.failNext(with: .problem(.unauthenticated))
        #expect(try await model.makeNewRideRepository(for: session).activeRide() == nil)
        #expect(try await dataStore.readUserSession() == renewed)
        #expect(try await process().makeNewRideRepository(for: renewed).activeRide() == nil)
        #expect(shop.requests.last?.headers["Authorization"] == "Bearer renewed")
        #expect(shop.requests(to: Contract.refreshSession).count == 1)
    }

    @Test func `a session that ends elsewhere is reported once, and a sign-out is not`() async throws {
        let model = try process()
        let repository = sessions(model)
        let first = try await repository.signIn(ada)
        let end = repository.end(of: first)
        let signedOut = Task { await end.reduce(0) { count, _ in count + 1 } }
        try await repository.signOut(first)
        #expect(await signedOut.value == 0)
        #expect(try await dataStore.readUserSession() == nil)
        let second = try await repository.signIn(ada)
        let otherEnd = repository.end(of: second)
        let ended = Task { await otherEnd.reduce(into: []) { $0.append($1.title) } }
        shop.failNext(with: .problem(.unauthenticated))
        shop.failNext(Contract.refreshSession, with: .problem(.tokenExpired))
        let rides = model.makeNewRideRepository(for: second)
        await #expect(throws: ErrorMessage.self) { _ = try await rides.activeRide() }
        #expect(await ended.value == [.signedOut])
        #expect(try await dataStore.readUserSession() == nil)
        #expect(try await repository.readUserSession() == nil)
    }

    @Test func `a repository of one session sends nothing for the next`() async throws {
        let model = try process()
        let repository = sessions(model)
        let first = try await repository.signIn(ada)
        let places = model.makeLocationRepository(for: first)
        let options = model.makeRideOptionRepository(for: first)
        let rides = model.makeNewRideRepository(for: first)
        try await repository.signOut(first)
        _ = try await repository.signIn(Credentials(email: "bea@example.org", password: Secret("correct")))
        let count = shop.requests.count
        let here = GeoPoint(latitude: 0, longitude: 0)
        let trip = RideWaypoints(pickupLocation: here, dropoffLocation: here)
        await #expect(throws: ErrorMessage.self) { _ = try await places.searchForLocations(using: "", near: here) }
        await #expect(throws: ErrorMessage.self) { _ = try await options.rideOptions(for: trip) }
        await #expect(throws: ErrorMessage.self) { _ = try await rides.activeRide() }
        #expect(shop.requests.count == count)
    }
}
