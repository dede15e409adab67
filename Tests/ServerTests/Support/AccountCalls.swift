import ServerTesting
import Testing

extension Caller {
    /// Signs in. The cart and the orders of a guest move to the account.
    @discardableResult
    func signIn(
        _ email: String = "ada@example.com", password: String = .password
    ) async throws -> Answered<UserSession> {
        try await call(Contract.signIn, SignInRequest(email: email, password: password))
    }

    @discardableResult
    func signUp(_ email: String = "ada@example.com") async throws -> Answered<UserSession> {
        try await call(Contract.signUp, .sample(email))
    }

    /// The customer that the caller becomes by signing in.
    func signedIn(_ email: String = "ada@example.com") async throws -> Caller {
        Caller(transport: transport, session: try await signIn(email).good())
    }

    /// The customer that the caller becomes by signing up.
    func signedUp(_ email: String = "ada@example.com") async throws -> Caller {
        Caller(transport: transport, session: try await signUp(email).good())
    }

    func signOut() async throws { try await call(Contract.signOut).good() }

    var refreshToken: String { get throws { try #require(session?.remoteSession.refreshToken) } }

    @discardableResult
    func profile() async throws -> Answered<Profile> { try await call(Contract.profile) }

    func deleteAccount(password: String = .password) async throws -> Answered<NoContent> {
        try await call(Contract.deleteAccount, DeleteAccountRequest(password: password))
    }

    func changePassword(from current: String = .password, to new: String) async throws -> Answered<NoContent> {
        try await call(Contract.changePassword, PasswordChangeRequest(currentPassword: current, newPassword: new))
    }

    func addAddress(_ address: Address = .sample) async throws -> Answered<Address> {
        try await call(Contract.addAddress, AddressInput(address))
    }

    func orders() async throws -> [Order] { try await call(Contract.orders).good().items }
}

extension Addressable {
    func refresh(_ token: String) async throws -> Answered<UserSession> {
        try await anyone.call(Contract.refreshSession, RefreshRequest(refreshToken: token))
    }

    func resetPassword(_ token: String, to password: String = "battery staple") async throws -> Answered<NoContent> {
        try await anyone.call(Contract.resetPassword, NewPasswordRequest(token: token, newPassword: password))
    }

    func verifyEmail(_ token: String) async throws -> Answered<NoContent> {
        try await anyone.call(Contract.verifyEmail, VerificationRequest(token: token))
    }
}

extension TestShop {
    /// Creates an account with a verified address, as the command line does.
    @discardableResult
    func create(_ email: String = "ada@example.com", _ role: AccountRecord.Role = .customer) async throws -> Profile {
        try await services.accounts.create(name: "Ada", email: email, password: .password, role: role)
    }

    /// The outcome of a sign-in.
    enum SignIn {
        case success, invalid, throttled
    }

    /// Signs in from a network.
    func signIn(
        _ password: String = .password, email: String = "ada@example.com", network: String
    ) async throws -> SignIn {
        do {
            _ = try await services.accounts.signIn(email: email, password: password, network: network, guest: nil)
            return .success
        } catch DomainError.invalidCredentials {
            return .invalid
        } catch DomainError.tooManyAttempts {
            return .throttled
        }
    }

    /// Requests a new password from a network.
    ///
    /// - Returns: the seconds after which the network may ask again; nil if the request was accepted.
    func requestReset(of email: String, network: String) async throws -> Int? {
        do {
            try await services.accounts.requestPasswordReset(email: email, network: network)
            return nil
        } catch DomainError.tooManyRequests(let seconds) {
            return seconds
        }
    }
}
