import ServerTesting
import Testing

@testable import PouchDomain

extension TestShop {
    /// A signed-in member of the staff.
    func staff(_ role: StaffRole, _ email: String? = nil) async throws -> Caller {
        let email = email ?? "\(role.rawValue.lowercased())@example.com"
        _ = try await services.accounts.create(name: "Staff", email: email, password: .password, role: .staff(role))
        return try await signIn(email)
    }

    /// The token of the latest mail with an invitation to the address.
    func invitationToken(_ email: String) async throws -> String { try await token(.staffInvitation, to: email) }

    /// The code of an authenticator app now, or some steps later.
    func code(_ secret: SecondFactorSecret, later steps: Int64 = 0) throws -> String {
        let bytes = try #require(ByteAlphabet.base32Capital.bytes(secret.secret.utf8))
        return OneTimePassword(secret: Data(bytes), digests: environment.digests)
            .code(step: OneTimePassword.step(at: clock.now) + steps)
    }

    /// Sets up a second factor; the current code is used up.
    func enrol(_ caller: Caller) async throws -> (secret: SecondFactorSecret, recovery: [String]) {
        let secret = try await caller.call(Contract.beginSecondFactor).good()
        return (secret, try await caller.enableSecondFactor(try code(secret)).good().codes)
    }

    func signIn(_ email: String, code: String?) async throws -> Answered<UserSession> {
        try await anyone.call(Contract.signIn, SignInRequest(email: email, password: .password, code: code))
    }

    func bearer(_ key: NewAPIKey) -> [String: String] { ["Authorization": "Bearer " + key.token] }

    /// Reads the orders with an API key.
    func orders(by key: NewAPIKey) async throws -> Answered<Page<Order>> {
        try await anyone.call(Contract.allOrders, headers: bearer(key))
    }

    /// Accepts an invitation to the staff.
    func accept(
        _ token: String, password: String = .password, name: String? = "Joan"
    ) async throws -> Answered<NoContent> {
        try await anyone.call(
            Contract.acceptInvitation, AcceptInvitationRequest(token: token, password: password, name: name))
    }
}

extension ShopSettings {
    /// A shop whose staff needs a second factor.
    static let withSecondFactors = ShopSettings(
        currency: .eur, country: "DE", shipping: standard().shipping, staffNeedsSecondFactor: true)
}

extension Caller {
    /// Sends a request that has a token and a path, and no valid body.
    func request(_ endpoint: Endpoint, headers: [String: String] = [:]) async throws -> Answered<Void> {
        try await send(
            endpoint.method.rawValue,
            endpoint.template.path(["sku": "cap", "id": "xyz_1", "handle": "cap", "path": "x"]),
            endpoint.method == .get ? nil : "{}", headers: headers)
    }

    func newKey(
        _ scopes: [Permission], name: String = "till", expiresAt: Date? = nil
    ) async throws -> Answered<NewAPIKey> {
        try await call(Contract.createAPIKey, APIKeyRequest(name: name, scopes: scopes, expiresAt: expiresAt))
    }

    func changeRole(_ id: String, to role: StaffRole) async throws -> Answered<StaffMember> {
        try await call(Contract.changeStaffRole, StaffRoleRequest(role: role), path: ["id": id])
    }

    func invite(_ email: String, as role: StaffRole) async throws -> Answered<StaffMember> {
        try await call(Contract.inviteStaff, StaffInvitationRequest(email: email, role: role))
    }

    func removeStaff(_ id: String) async throws -> Answered<NoContent> {
        try await call(Contract.removeStaff, path: ["id": id])
    }

    func revoke(_ key: NewAPIKey) async throws -> Answered<NoContent> {
        try await call(Contract.revokeAPIKey, path: ["id": key.key.id])
    }

    /// Confirms the session, so that the sign-in counts as fresh again.
    func confirm(_ password: String = .password, code: String? = nil) async throws -> Answered<NoContent> {
        try await call(Contract.confirmSession, ConfirmationRequest(password: password, code: code))
    }

    func enableSecondFactor(_ code: String) async throws -> Answered<RecoveryCodes> {
        try await call(Contract.enableSecondFactor, CodeRequest(code: code))
    }

    var accountId: String {
        get throws { try #require(session?.profile?.id) }
    }
}
