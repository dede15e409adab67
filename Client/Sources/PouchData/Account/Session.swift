import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchService
import PouchWire

extension UserSession {
    /// The owner of data stored on this device: the account's id, or a guest's session id.
    public var owner: String { profile?.id ?? id }

    /// The owner of data that is stored before there is a session.
    public static let signedOutOwner = ""

    /// The kinds of unsent cart edits that this session adopts from the signed-out cart or a guest's: all for a new
    /// guest; only additions for an account, because the other edits were meant for a different cart.
    var adoptedCartEdits: Set<PendingWrite.Kind> {
        kind == .guest ? PendingWrite.Kind.cartEdits : [.addCartLine]
    }
}

extension DataManager {
    /// Creates an account. It adopts a guest's cart and orders.
    public func signUp(
        name: String, email: String, mobileNumber: String? = nil, password: String
    ) async throws(DataError) -> UserSession {
        let body = SignUpRequest(name: name, email: email, mobileNumber: mobileNumber, password: password)
        return try await startSession(EndpointCall(Contract.signUp.endpoint, body: try encode(body)))
    }

    /// Signs in to an account. It adopts a guest's cart and orders.
    ///
    /// - Parameter code: the code of the second factor, if the account has one.
    public func signIn(email: String, password: String, code: String? = nil) async throws(DataError) -> UserSession {
        let body = SignInRequest(email: email, password: password, code: code)
        return try await startSession(EndpointCall(Contract.signIn.endpoint, body: try encode(body)))
    }

    public func startGuestSession() async throws(DataError) -> UserSession {
        try await startSession(Contract.startGuestSession.call())
    }

    /// Hands over the unsent edits, as the server did with a guest's cart, before it saves the new session: in the
    /// opposite order, a process that ends in between would leave them with a guest who does not return.
    private func startSession(_ call: EndpointCall) async throws(DataError) -> UserSession {
        let before = try await storedSession()
        let answer = try await answer(to: call, CallOptions(adoptsSession: false))
        let session = try decode(UserSession.self, from: answer)
        if let before { await handOver(from: before, to: session) }
        try await mappingServiceErrors(await service?.adoptSession(answer.data))
        // Another process on this device may have started a guest session in the meantime.
        let adopted = session.kind == .guest ? try await storedSession() ?? session : session
        // Edits may have been added during the request.
        await handOver(from: before, to: adopted)
        return adopted
    }

    /// Gives the session the cart edits that it adopts from a guest or the signed-out owner, and removes everything
    /// else of that owner. Signing in succeeds even if this fails.
    private func handOver(from before: UserSession?, to session: UserSession) async {
        if let before, before.kind != .guest { return }
        try? await store.handOver(
            session.adoptedCartEdits, from: before?.owner ?? UserSession.signedOutOwner, to: session.owner)
    }

    /// Gives a stored session the signed-out edits that it has not adopted yet: those made while it started, or left by
    /// a process that ended in between.
    public func handOverSignedOutEdits(to session: UserSession) async {
        guard (try? await pendingCartEdits(of: UserSession.signedOutOwner))?.isEmpty == false else { return }
        await handOver(from: nil, to: session)
    }

    /// Ends the session on the server and, if that succeeds, on this device.
    public func signOut() async throws(DataError) {
        try await perform(Contract.signOut)
    }

    /// The session stored on this device, without a request; nil if there is none, or it cannot be read.
    public func storedSession() async throws(DataError) -> UserSession? {
        let raw = try await mappingServiceErrors(await service?.storedSession())
        return raw.flatMap { try? UserSession(json: $0) }
    }

    /// Removes the session from this device, unless another has replaced it. Sends no request.
    public func forgetSession(id: String) async throws(DataError) {
        try await mappingServiceErrors(await service?.forgetSession(id: id))
    }

    /// Sets the handler that is called once for each session that the server ends or that another process replaces in
    /// the store. A call that finds this out throws after the handler returns.
    public func onSessionEnd(_ handler: @escaping @Sendable (_ id: String) async -> Void) {
        service?.onSessionEnd(handler)
    }
}
