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
        return try await enter(Contract.signUp.endpoint, .account(.signUp(body: try encode(body))))
    }

    /// A guest's cart and orders go over to the account.
    public func signIn(email: String, password: String) async throws(DataError) -> UserSession {
        let body = SignInRequest(email: email, password: password)
        return try await enter(Contract.signIn.endpoint, .account(.signIn(body: try encode(body))))
    }

    public func startGuestSession() async throws(DataError) -> UserSession {
        try await enter(Contract.startGuestSession.endpoint, .account(.startGuestSession))
    }

    /// On the server a guest's cart went over; so do here the edits that it has not heard of. They do before the new
    /// session is taken up: were it the other way round, a process that ends in between would leave them under the name of
    /// a guest that does not come back. Those of nobody can wait for whoever comes.
    private func enter(_ endpoint: Endpoint, _ path: Path) async throws(DataError) -> UserSession {
        let before = try await storedSession()
        let answer = try await answer(to: endpoint, path, CallOptions(takesUpSession: false))
        let session = try decode(UserSession.self, from: answer)
        if let before { await handOver(from: before, to: session) }
        try await mappingErrors { () throws(ServiceError) in try await service?.takeUp(answer.data) }
        // What was added meanwhile.
        await handOver(from: before, to: session)
        return session
    }

    /// Gives the session the edits to a guest's or nobody's cart that it takes over, and removes all else that is kept of
    /// that one. Signing in does not fail for want of it.
    private func handOver(from before: UserSession?, to session: UserSession) async {
        if let before, before.kind != .guest { return }
        try? await store.handOver(
            session.cartEditsTakenOver, from: before?.owner ?? UserSession.nobody, to: session.owner)
    }

    /// Gives a session that is kept the edits of nobody that have not gone over to it, as those that were made while it began
    /// or that a process left that ended in between.
    public func handOverEditsOfNobody(to session: UserSession) async {
        guard (try? await pendingCartEdits(of: UserSession.nobody))?.isEmpty == false else { return }
        await handOver(from: nil, to: session)
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
