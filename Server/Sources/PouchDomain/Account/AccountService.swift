import Foundation
import PouchEntities

/// Creates, changes and deletes accounts, and signs their owners in and out.
public struct AccountService: Sendable {
    let environment: DomainEnvironment
    private let issuer: SessionIssuer
    private let passwords: any PasswordHasher
    private let carts: CartService

    public init(
        _ environment: DomainEnvironment, issuer: SessionIssuer, passwords: any PasswordHasher, carts: CartService
    ) {
        self.environment = environment
        self.issuer = issuer
        self.passwords = passwords
        self.carts = carts
    }

    /// Creates an account and signs it in. A guest's cart and orders move to the account.
    ///
    /// - Throws: `DomainError.invalid`, `.emailTaken`, `OverloadError`.
    public func signUp(
        name: String,
        email: String,
        mobileNumber: String?,
        password: String,
        guest: Principal? = nil
    ) async throws -> UserSession {
        let account = try await newAccount(
            name: name, email: email, mobileNumber: mobileNumber, password: password, role: .customer)
        let new = try await environment.store.write { repositories in
            guard try repositories.accounts.insert(account) else { throw DomainError.emailTaken }
            return try startSession(for: account, guest: guest, in: repositories)
        }
        return try await issuer.issue(new)
    }

    /// Creates an account with a role, without a session.
    ///
    /// - Throws: `DomainError.invalid`, `.emailTaken`, `OverloadError`.
    public func create(
        name: String, email: String, mobileNumber: String? = nil, password: String, role: AccountRecord.Role
    ) async throws -> Profile {
        let account = try await newAccount(
            name: name, email: email, mobileNumber: mobileNumber, password: password, role: role)
        return try await environment.store.write { repositories in
            guard try repositories.accounts.insert(account) else { throw DomainError.emailTaken }
            return account.profile
        }
    }

    /// Signs in with a password. A guest's cart and orders move to the account.
    ///
    /// - Parameter address: the network address that the attempt comes from.
    /// - Throws: `DomainError.invalidCredentials`, `.tooManyAttempts`, `OverloadError`.
    public func signIn(email: String, password: String, address: String, guest: Principal?) async throws -> UserSession
    {
        let email = AccountRules.normalizedEmail(email) ?? ""
        let throttle = SignInThrottle(email: email, address: address, digests: environment.digests)
        let now = environment.time.now
        let account = try await environment.store.write { repositories in
            try throttle.count(repositories.sessions, now: now)
            return try repositories.accounts.account(email: email)
        }
        let matches = try await verify(password, against: account?.passwordHash, throttle, startedAt: now)
        guard matches, let account else { throw DomainError.invalidCredentials }
        let new = try await environment.store.write { repositories in
            // The account may have been deleted, or its password changed, while the hash was computed.
            guard let current = try repositories.accounts.account(id: account.id),
                current.passwordHash == account.passwordHash
            else { throw DomainError.invalidCredentials }
            try throttle.clear(repositories.sessions, startedAt: now)
            return try startSession(for: current, guest: guest, in: repositories)
        }
        return try await issuer.issue(new)
    }

    public func startGuestSession() async throws -> UserSession {
        let new = try await environment.store.write { try issuer.create(kind: .guest, account: nil, in: $0) }
        return try await issuer.issue(new)
    }

    public func signOut(_ principal: Principal) async throws {
        try await environment.store.write { repositories in
            try principal.checkSession(in: repositories)
            try repositories.sessions.end(id: principal.sessionId, at: environment.time.now)
        }
    }

    public func profile(_ principal: Principal, in repositories: any Repositories) throws -> Profile {
        try account(principal, in: repositories).profile
    }

    /// Applies a change to the profile.
    ///
    /// - Throws: `DomainError.invalid`.
    public func updateProfile(
        _ principal: Principal, in repositories: any Repositories, _ change: (inout AccountRecord) -> Void
    ) throws -> Profile {
        var account = try account(principal, in: repositories)
        change(&account)
        let problems =
            AccountRules.problems(name: account.name) + AccountRules.problems(mobileNumber: account.mobileNumber)
            + AccountRules.problems(avatarURL: account.avatarURL)
        try problems.check()
        try repositories.accounts.update(account)
        return account.profile
    }

    /// Changes the password and ends all other sessions of the account.
    ///
    /// - Throws: `DomainError.invalid`, `.invalidCredentials`, `.tooManyAttempts`, `OverloadError`.
    public func changePassword(_ principal: Principal, from old: String, to new: String, address: String) async throws {
        try AccountRules.problems(password: new, field: "newPassword").check()
        let hash = try await confirm(principal, password: old, address: address)
        let newHash = try await passwords.hash(new)
        try await environment.store.write { repositories in
            try principal.checkSession(in: repositories)
            var account = try account(principal, in: repositories)
            guard account.passwordHash == hash else { throw DomainError.invalidCredentials }
            account.passwordHash = newHash
            try repositories.accounts.update(account)
            try repositories.sessions.endAll(
                accountId: account.id, except: principal.sessionId, at: environment.time.now)
        }
    }

    /// Deletes the account with its addresses, cart and rides, and ends its sessions. Its orders stay, without the
    /// person's e-mail address and shipping address.
    ///
    /// - Throws: `DomainError.invalidCredentials`, `.tooManyAttempts`, `OverloadError`.
    public func delete(_ principal: Principal, password: String, address: String) async throws {
        let hash = try await confirm(principal, password: password, address: address)
        try await environment.store.write { repositories in
            try principal.checkSession(in: repositories)
            let account = try account(principal, in: repositories)
            guard account.passwordHash == hash else { throw DomainError.invalidCredentials }
            try repositories.sessions.endAll(accountId: account.id, except: nil, at: environment.time.now)
            // Orders before their rides and their carts, in the order in which the city and the settlement lock them.
            try repositories.orders.anonymise(ownerId: account.id)
            try repositories.rideBookings.deleteAll(ownerId: account.id, at: environment.time.now)
            try repositories.carts.delete(ownerId: account.id)
            try repositories.discounts.delete(ownerId: account.id)
            try repositories.idempotency.delete(ownerId: account.id)
            try repositories.accounts.delete(id: account.id)
        }
    }

    // MARK: Steps

    private func newAccount(
        name: String, email: String, mobileNumber: String?, password: String, role: AccountRecord.Role
    ) async throws -> AccountRecord {
        var problems =
            AccountRules.problems(name: name) + AccountRules.problems(password: password)
            + AccountRules.problems(mobileNumber: mobileNumber)
        let normalized = AccountRules.normalizedEmail(email)
        if normalized == nil {
            problems.append(InvalidField("email", .invalid, "This is not an e-mail address."))
        }
        try problems.check()
        return AccountRecord(
            id: environment.ids.make(.account),
            role: role,
            name: name.trimmingCharacters(in: .whitespaces),
            email: normalized ?? email,
            mobileNumber: mobileNumber,
            passwordHash: try await passwords.hash(password),
            createdAt: environment.time.now
        )
    }

    private func startSession(
        for account: AccountRecord, guest: Principal?, in repositories: any Repositories
    ) throws -> SessionIssuer.NewSession {
        if let guest, guest.isGuest,
            try repositories.sessions.session(id: guest.sessionId, locking: false)?.endedAt == nil
        {
            // In the order in which a checkout and its settlement lock them, so that transactions do not deadlock.
            try repositories.sessions.end(id: guest.sessionId, at: environment.time.now)
            try repositories.orders.move(from: guest.ownerId, to: account.id)
            try carts.merge(from: guest.ownerId, into: account.id, in: repositories)
            try repositories.discounts.move(from: guest.ownerId, to: account.id)
            try repositories.idempotency.move(from: guest.ownerId, to: account.id)
        }
        let kind: SessionKind = account.role == .admin ? .admin : .customer
        return try issuer.create(kind: kind, account: account, in: repositories)
    }

    private func account(_ principal: Principal, in repositories: any Repositories) throws -> AccountRecord {
        guard let account = try repositories.accounts.account(id: principal.ownerId) else {
            throw DomainError.unauthenticated
        }
        return account
    }

    private func verify(
        _ password: String, against hash: String?, _ throttle: SignInThrottle, startedAt: Date
    ) async throws -> Bool {
        do {
            return try await passwords.verify(password, against: hash)
        } catch let error as OverloadError {
            try await environment.store.write { try throttle.removeAttempt($0.sessions, startedAt: startedAt) }
            throw error
        }
    }

    /// Checks the password of a signed-in customer, and returns the hash that it matched.
    private func confirm(_ principal: Principal, password: String, address: String) async throws -> String {
        let now = environment.time.now
        let (account, throttle) = try await environment.store.write { repositories -> (AccountRecord, SignInThrottle) in
            try principal.checkSession(in: repositories)
            let account = try self.account(principal, in: repositories)
            let throttle = SignInThrottle(email: account.email, address: address, digests: environment.digests)
            try throttle.count(repositories.sessions, now: now)
            return (account, throttle)
        }
        guard try await verify(password, against: account.passwordHash, throttle, startedAt: now) else {
            throw DomainError.invalidCredentials
        }
        try await environment.store.write { try throttle.clear($0.sessions, startedAt: now) }
        return account.passwordHash
    }
}
