import Foundation
import PouchEntities

/// Creates, changes and deletes accounts, and signs their owners in and out.
///
/// The `network` of its methods is that of the client, as in `NetworkAddress.network`.
public struct AccountService: Sendable {
    let environment: DomainEnvironment
    private let issuer: SessionIssuer
    let links: LinkSigner
    let passwords: any PasswordHasher
    private let carts: CartService
    private let secondFactors: SecondFactors

    public init(
        _ environment: DomainEnvironment, issuer: SessionIssuer, links: LinkSigner, passwords: any PasswordHasher,
        carts: CartService
    ) {
        self.environment = environment
        self.issuer = issuer
        self.links = links
        self.passwords = passwords
        self.carts = carts
        secondFactors = SecondFactors(environment)
    }

    /// Creates an account and signs it in. A guest's cart and orders move to the account. An e-mail asks the owner to
    /// verify the address.
    ///
    /// - Parameter userAgent: the client's name for itself.
    /// - Throws: `DomainError.invalid`, `.emailTaken`, `OverloadError`.
    public func signUp(
        name: String, email: String, mobileNumber: String?, password: String, network: String, userAgent: String? = nil,
        guest: Principal? = nil
    ) async throws -> UserSession {
        let account = try await newAccount(
            name: name, email: email, mobileNumber: mobileNumber, password: password, role: .customer, network: network)
        let new = try await environment.store.write(.readCommitted) { repositories in
            guard try repositories.accounts.insert(account) else { throw DomainError.emailTaken }
            try welcome(account, network: network, in: repositories)
            try appendEvent(.customerCreated, account, in: repositories)
            return try startSession(
                for: account, guest: guest, network: network, userAgent: userAgent, in: repositories)
        }
        return try await issuer.issue(new)
    }

    /// Creates an account with a role, without a session. A customer's password may be a common one, since the
    /// machine's operator chooses it, for example for a demo; for the same reason the address counts as verified.
    ///
    /// - Throws: `DomainError.invalid`, `.emailTaken`, `OverloadError`.
    public func create(
        name: String, email: String, mobileNumber: String? = nil, password: String, role: AccountRecord.Role
    ) async throws -> Profile {
        var new = try await newAccount(
            name: name, email: email, mobileNumber: mobileNumber, password: password, role: role,
            allowsCommonPassword: role == .customer, network: "")
        new.emailVerifiedAt = new.createdAt
        return try await environment.store.write { [account = new] repositories in
            guard try repositories.accounts.insert(account) else { throw DomainError.emailTaken }
            try appendEvent(.customerCreated, account, in: repositories)
            return account.profile
        }
    }

    /// Signs in with a password. A guest's cart and orders move to the account. After a sign-in from a new network, an
    /// e-mail notifies the owner.
    ///
    /// - Parameters:
    ///   - code: the code of the second factor, if the account has one.
    ///   - userAgent: the client's name for itself.
    /// - Throws: `DomainError.invalidCredentials`, `.secondFactorRequired`, `.secondFactorInvalid`, `.tooManyAttempts`,
    ///   `OverloadError`.
    public func signIn(
        email: String, password: String, code: String? = nil, network: String, userAgent: String? = nil,
        guest: Principal?
    ) async throws -> UserSession {
        let email = AccountRules.lookupEmail(email)
        let attempt = SignInAttempt(email: email, network: network, environment)
        let account = try await environment.store.write { repositories in
            try attempt.begin(in: repositories.sessions)
            return try repositories.accounts.account(email: email)
        }
        try await check(password, against: account?.passwordHash, attempt, network: network)
        guard let account else { throw DomainError.invalidCredentials }
        let (outcome, new) = try await environment.store.write(.readCommitted) {
            repositories -> (SecondFactors.Outcome, SessionIssuer.NewSession?) in
            // The account may have been deleted, or its password changed, while the hash was computed.
            guard let current = try repositories.accounts.account(id: account.id, locking: true),
                current.passwordHash == account.passwordHash
            else { throw DomainError.invalidCredentials }
            let outcome = try secondFactors.check(code, of: current, in: repositories)
            switch outcome {
            case .passed: try attempt.succeed(in: repositories.sessions)
            case .wrong: try attempt.fail(in: repositories.sessions)
            case .required, .throttled: try attempt.withdraw(in: repositories.sessions)
            }
            return (
                outcome,
                outcome == .passed
                    ? try startSession(
                        for: current, guest: guest, network: network, userAgent: userAgent, in: repositories) : nil
            )
        }
        try outcome.check()
        guard let new else { throw DomainError.invalidCredentials }
        return try await issuer.issue(new)
    }

    /// Confirms the password, and the second factor if the account has one, so that the session counts as fresh.
    ///
    /// - Throws: `DomainError.wrongPassword`, `.secondFactorRequired`, `.secondFactorInvalid`, `.tooManyAttempts`,
    ///   `OverloadError`.
    public func confirm(_ principal: Principal, password: String, code: String?, network: String) async throws {
        let hash = try await confirm(principal, password: password, network: network)
        try await environment.store.write(for: principal, .readCommitted) { repositories in
            let account = try account(principal, locking: true, in: repositories)
            guard account.passwordHash == hash else { throw DomainError.wrongPassword }
            let outcome = try secondFactors.check(code, of: account, in: repositories)
            if outcome == .passed {
                try repositories.sessions.confirm(id: principal.sessionId, at: environment.time.now)
            }
            return outcome
        }.check()
    }

    public func startGuestSession() async throws -> UserSession {
        let new = try await environment.store.write {
            // A guest cannot list sessions, so the new session needs no origin.
            try issuer.create(
                kind: .guest, account: nil, origin: SessionOrigin(network: "", userAgent: nil), in: $0)
        }
        return try await issuer.issue(new)
    }

    public func signOut(_ principal: Principal) async throws {
        try await environment.store.write(for: principal, .readCommitted) { repositories in
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
        var account = try account(principal, locking: true, in: repositories)
        let before = account
        change(&account)
        account.name = AccountRules.trimmedName(account.name)
        let problems =
            AccountRules.problems(name: account.name) + AccountRules.problems(mobileNumber: account.mobileNumber)
            + AccountRules.problems(avatarURL: account.avatarURL)
        try problems.check()
        guard account != before else { return account.profile }
        try repositories.accounts.update(account)
        try appendEvent(.customerUpdated, account, in: repositories)
        return account.profile
    }

    /// Changes the password and ends all other sessions of the account. Tokens for a new password, and an unconfirmed
    /// change of the e-mail address, become invalid too. An e-mail notifies the owner of the change.
    ///
    /// - Throws: `DomainError.invalid`, `.wrongPassword`, `.freshSignInRequired`, `.tooManyAttempts`, `OverloadError`.
    public func changePassword(_ principal: Principal, from old: String, to new: String, network: String) async throws {
        try AccountRules.problems(password: new, field: "newPassword").check()
        let hash = try await confirm(principal, password: old, network: network)
        let newHash = try await passwords.hash(new, network: network)
        try await environment.store.write(.readCommitted) { repositories in
            var account = try account(of: principal, confirmedBy: hash, .readCommitted, in: repositories)
            account.passwordHash = newHash
            try repositories.accounts.update(account)
            try repositories.sessions.endAll(
                accountId: account.id, except: principal.sessionId, at: environment.time.now)
            try repositories.accountLinks.removeAll(accountId: account.id, purpose: .passwordReset, except: nil)
            try repositories.accountLinks.removeAll(
                accountId: account.id, purpose: .emailVerification, except: account.email)
            try notifyOfPasswordChange(of: account, isReset: false, in: repositories)
        }
    }

    /// Deletes the account with its addresses, cart and rides, and ends its sessions. Its orders stay, and name the
    /// person for as long as `OrderRetention` says.
    ///
    /// - Parameter record: runs in the same transaction with the deleted account, for example for the audit log.
    /// - Throws: `DomainError.wrongPassword`, `.freshSignInRequired`, `.tooManyAttempts`, `.lastOwner`, `OverloadError`.
    public func delete(
        _ principal: Principal, password: String, network: String,
        alongside record: @escaping @Sendable (AccountRecord, any Repositories) throws -> Void = { _, _ in }
    ) async throws {
        let hash = try await confirm(principal, password: password, network: network)
        try await environment.store.write { repositories in
            let account = try account(of: principal, confirmedBy: hash, in: repositories)
            try repositories.staff.checkOwners(without: account)
            if account.role != .customer {
                try repositories.endGrants(of: account.id, at: environment.time.now)
            }
            try repositories.sessions.endAll(accountId: account.id, except: nil, at: environment.time.now)
            // Orders before their rides and carts, in the order in which the city and the settlement lock them.
            try OrderRetention(environment).anonymise(ownerId: account.id, in: repositories)
            try repositories.deleteRides(ownerId: account.id, at: environment.time.now)
            try repositories.carts.delete(ownerId: account.id)
            try repositories.discounts.delete(ownerId: account.id)
            try repositories.idempotency.delete(ownerId: account.id)
            try repositories.mails.delete(ownerId: account.id)
            try repositories.accounts.delete(id: account.id)
            try appendEvent(.customerDeleted, account, in: repositories)
            try record(account, repositories)
        }
    }

    // MARK: Steps

    func newAccount(
        name: String, email: String, mobileNumber: String?, password: String, role: AccountRecord.Role,
        allowsCommonPassword: Bool = false, network: String
    ) async throws -> AccountRecord {
        let name = AccountRules.trimmedName(name)
        var problems =
            AccountRules.problems(name: name)
            + AccountRules.problems(password: password, allowsCommon: allowsCommonPassword)
            + AccountRules.problems(mobileNumber: mobileNumber)
        let normalized = EmailAddress.normalized(email)
        if normalized == nil { problems.append(AccountRules.invalidEmail) }
        try problems.check()
        let stored = normalized ?? email
        // A hash is expensive. The caller checks again when it stores the account.
        guard try await environment.store.read({ try $0.accounts.account(email: stored) }) == nil else {
            throw DomainError.emailTaken
        }
        return AccountRecord(
            id: environment.ids.make(.account),
            role: role,
            name: name,
            email: stored,
            mobileNumber: mobileNumber,
            passwordHash: try await passwords.hash(password, network: network),
            createdAt: environment.time.now
        )
    }

    /// Runs with committed reads: requests of the guest lock the session, and this waits for them. A serializable
    /// transaction would fail each time one of them commits, so a guest who sends many requests could keep it from ever
    /// succeeding.
    private func startSession(
        for account: AccountRecord, guest: Principal?, network: String, userAgent: String?,
        in repositories: any Repositories
    ) throws -> SessionIssuer.NewSession {
        if let guest, guest.isGuest,
            try repositories.sessions.session(id: guest.sessionId, locking: true)?.endedAt == nil
        {
            // In the order in which a checkout and its settlement lock rows, so that transactions do not deadlock.
            try repositories.sessions.end(id: guest.sessionId, at: environment.time.now)
            try repositories.orders.move(from: guest.ownerId, to: account.id)
            try carts.merge(from: guest.ownerId, into: account.id, in: repositories)
            try repositories.discounts.move(from: guest.ownerId, to: account.id)
            try repositories.idempotency.move(from: guest.ownerId, to: account.id)
            try repositories.mails.move(from: guest.ownerId, to: account.id)
        }
        let kind: SessionKind = account.role == .customer ? .customer : .admin
        let origin = SessionOrigin(network: network, userAgent: userAgent)
        try note(origin, network: network, of: account, in: repositories)
        return try issuer.create(kind: kind, account: account, origin: origin, in: repositories)
    }

    func account(
        _ principal: Principal, locking: Bool = false, in repositories: any Repositories
    ) throws -> AccountRecord {
        guard let account = try repositories.accounts.account(id: principal.ownerId, locking: locking) else {
            throw DomainError.unauthenticated
        }
        return account
    }

    /// - Parameter hash: nil for an unknown account.
    /// - Throws: `DomainError.invalidCredentials`, after which the attempt has failed; `OverloadError`.
    func check(_ password: String, against hash: String?, _ attempt: SignInAttempt, network: String) async throws {
        let matches: Bool
        do {
            matches = try await passwords.verify(password, against: hash, network: network)
        } catch let error as OverloadError {
            try await environment.store.write { try attempt.withdraw(in: $0.sessions) }
            throw error
        }
        guard matches else {
            try await environment.store.write(.readCommitted) { repositories in
                try attempt.fail(in: repositories.sessions)
                try attempt.audit(in: repositories, environment)
            }
            throw DomainError.invalidCredentials
        }
    }

    /// The account, locked, in the transaction of a change that its password allows.
    ///
    /// - Parameter hash: the hash that the password matched; another one was set since.
    /// - Throws: `DomainError.unauthenticated`, `.wrongPassword`, `.freshSignInRequired`.
    func account(
        of principal: Principal, confirmedBy hash: String, _ isolation: Isolation = .serializable,
        in repositories: any Repositories
    ) throws -> AccountRecord {
        try principal.checkSession(isolation, in: repositories)
        let account = try account(principal, locking: true, in: repositories)
        guard account.passwordHash == hash else { throw DomainError.wrongPassword }
        try checkSecondFactor(of: principal, in: repositories)
        return account
    }

    /// Checks that an account with a second factor has confirmed it recently in the session: the password alone, which
    /// a thief may know, must not be enough to take over the account.
    ///
    /// - Throws: `DomainError.freshSignInRequired`.
    private func checkSecondFactor(of principal: Principal, in repositories: any Repositories) throws {
        guard let staffStatus = try repositories.staff.staffStatus(sessionId: principal.sessionId),
            staffStatus.role != nil, staffStatus.hasSecondFactor
        else { return }
        let earliest = environment.time.now.addingTimeInterval(-Principal.Requirements.freshness)
        guard staffStatus.confirmedAt >= earliest else { throw DomainError.freshSignInRequired }
    }

    /// Checks the password of a signed-in customer, and returns the hash that it matched.
    ///
    /// - Throws: `DomainError.wrongPassword`, after which the attempt has failed; `.tooManyAttempts`, `OverloadError`.
    func confirm(_ principal: Principal, password: String, network: String) async throws -> String {
        let (account, attempt) = try await environment.store.write(for: principal) {
            repositories -> (AccountRecord, SignInAttempt) in
            let account = try self.account(principal, in: repositories)
            let attempt = SignInAttempt(email: account.email, network: network, environment)
            try attempt.begin(in: repositories.sessions)
            return (account, attempt)
        }
        do {
            try await check(password, against: account.passwordHash, attempt, network: network)
        } catch DomainError.invalidCredentials {
            throw DomainError.wrongPassword
        }
        try await environment.store.write { try attempt.succeed(in: $0.sessions) }
        return account.passwordHash
    }
}
