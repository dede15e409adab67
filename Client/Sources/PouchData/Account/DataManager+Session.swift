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
        return try await perform(Contract.signUp, sending: body) { .account(.signUp(body: $0)) }
    }

    /// A guest's cart and orders go over to the account.
    public func signIn(email: String, password: String) async throws(DataError) -> UserSession {
        try await perform(Contract.signIn, sending: SignInRequest(email: email, password: password)) {
            .account(.signIn(body: $0))
        }
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
