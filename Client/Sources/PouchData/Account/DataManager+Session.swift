import Foundation
import PouchContract
import PouchEntities
import PouchService
import PouchWire

extension DataManager {
    /// A guest's cart and orders go over to the new account.
    public func signUp(
        name: String, email: String, mobileNumber: String? = nil, password: String
    ) async throws(DataError) -> UserSession {
        let body = SignUpRequest(name: name, email: email, mobileNumber: mobileNumber, password: password)
        return try await enter(Contract.signUp, sending: body) { .account(.signUp(body: $0)) }
    }

    /// A guest's cart and orders go over to the account.
    public func signIn(email: String, password: String) async throws(DataError) -> UserSession {
        try await enter(Contract.signIn, sending: SignInRequest(email: email, password: password)) {
            .account(.signIn(body: $0))
        }
    }

    /// On the server a guest's cart went over; so do here the additions that it has not heard of. They do before the new
    /// session is taken up: were it the other way round, a process that ends in between would leave them under the name of
    /// a guest that does not come back.
    private func enter<Body: Encodable>(
        _ exchange: Exchange<Body, UserSession>, sending body: Body, path: (Data) -> Path
    ) async throws(DataError) -> UserSession {
        let before = try await storedSession()
        let answer = try await answer(
            to: exchange.endpoint, path(try encode(body)), CallOptions(takesUpSession: false))
        let session = try decode(UserSession.self, from: answer)
        if let before { await handOver(from: before, to: session) }
        try await mappingErrors { () throws(ServiceError) in try await service?.takeUp(answer.data) }
        // What was added meanwhile.
        if let before { await handOver(from: before, to: session) }
        return session
    }

    /// Gives the additions to a guest's cart that were never sent to the account, and removes all else that is kept of the
    /// guest. Signing in does not fail for want of it.
    private func handOver(from before: UserSession, to session: UserSession) async {
        guard before.kind == .guest else { return }
        try? await store.handOver(from: before.owner, to: session.owner)
    }

    public func startGuestSession() async throws(DataError) -> UserSession {
        try await perform(Contract.startGuestSession, .account(.startGuestSession))
    }

    /// Ends the session on the server and, when that succeeded, here.
    public func signOut() async throws(DataError) {
        try await perform(Contract.signOut, .account(.signOut))
    }

    /// The session that was kept, without asking the server; nil when there is none that can be read.
    public func storedSession() async throws(DataError) -> UserSession? {
        let raw = try await mappingErrors { () throws(ServiceError) in try await service?.storedSession() }
        return raw.flatMap { try? WireJSON.decode(UserSession.self, from: $0) }
    }

    /// Forgets the session here, unless another has taken its place; the server is not told.
    public func forgetSession(id: String) async throws(DataError) {
        try await mappingErrors { () throws(ServiceError) in try await service?.forgetSession(id: id) }
    }

    /// Sets who is told, once for each session that the server ends or that another process replaces in the store; a
    /// call that finds out throws after that.
    public func onSessionEnd(_ handler: @escaping @Sendable (_ id: String) async -> Void) {
        service?.onSessionEnd(handler)
    }
}
