import ClientTesting
import Foundation
import PouchClient
import PouchContract
import PouchEntities
import PouchNetwork
import PouchTesting
import PouchWire
import Synchronization

/// A service with accounts and without rides.
final class StubAccounts: Transport {
    fileprivate struct State {
        var count = 0
        var signIns = 0
        var renewals = 0
        var session = 0
        /// The access token of the session, or nil once it has ended.
        var token: String?
    }

    private let state = Mutex(State())

    /// The number of requests so far.
    var count: Int { state.withLock { $0.count } }
    var signIns: Int { state.withLock { $0.signIns } }
    var renewals: Int { state.withLock { $0.renewals } }

    /// Refuses the access token from now on.
    func expireTokens() { state.withLock { $0.token = "expired" } }
    func endSessions() { state.withLock { $0.token = nil } }

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        StreamedResponse(state.withLock { $0.answer(to: request) })
    }
}

extension StubAccounts.State {
    fileprivate mutating func answer(to request: NetworkRequest) -> NetworkResponse {
        count += 1
        switch (request.method, request.url.path()) {
        case ("POST", "/v1/sessions"):
            signIns += 1
            session += 1
            return .json(renewed(), status: 201)
        case ("POST", "/v1/sessions/refresh"):
            guard token != nil else { return .problem(.tokenExpired) }
            renewals += 1
            return .json(renewed())
        case ("DELETE", _):
            token = nil
            return NetworkResponse(status: 204)
        default:
            guard let token, request.headers["Authorization"] == "Bearer " + token else {
                return .problem(.unauthenticated)
            }
            return .json(Page<Ride>(items: []))
        }
    }

    private mutating func renewed() -> UserSession {
        let token = "access-\(session)-\(count)"
        self.token = token
        // Each expires later than the one before, and long after the time of the test.
        return Fixture.session(
            token, refresh: "refresh-\(count)", expiresIn: 2_000_000_000 + TimeInterval(count), id: "ses_\(session)")
    }
}

/// A byte store whose saves can fail.
actor CountingSessionStore: SessionStore {
    private var session: Data?
    private var fails = false
    private(set) var saves = 0
    private(set) var clears = 0

    func fails(_ fails: Bool) { self.fails = fails }
    func load() -> Data? { session }

    func save(_ session: Data) throws {
        if fails { throw CocoaError(.fileWriteOutOfSpace) }
        saves += 1
        self.session = session
    }

    func clear() {
        clears += 1
        session = nil
    }
}
