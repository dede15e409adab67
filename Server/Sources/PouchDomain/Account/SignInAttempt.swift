import Foundation

/// One attempt to sign in with a password, counted until it succeeds.
///
/// Failures are limited per account and network, so that one stranger cannot lock a customer out; per account in total,
/// against guessing from many networks (many strangers together can lock an account); and per network in total, against
/// trying one password on many accounts.
///
/// An account that has signed in from a network within a day is known there: only the limit per account and network
/// applies then, so that a stranger behind the same address, or with many addresses, cannot lock that customer out.
///
/// An attempt counts for its account from its start, so that concurrent attempts count too. For the network in total it
/// counts once it has failed: an office whose people sign in at the same time is not refused. Concurrent attempts can
/// exceed that limit by the number of passwords of one network that a server checks at once.
struct SignInAttempt: Sendable {
    static let window: TimeInterval = 15 * 60
    static let perAccountAndNetwork = 10
    static let perAccount = 100
    static let perNetwork = 30
    private static let memory: TimeInterval = 24 * 3600

    private let id: String
    private let startedAt: Date
    private let email: String
    private let network: String
    private let pairKey: Data
    private let accountKey: Data
    private let networkKey: Data
    private let knownKey: Data

    /// The keys are hashes, so that the stored failures contain no addresses.
    ///
    /// - Parameter network: of the client, as `NetworkAddress.network`.
    init(email: String, network: String, _ environment: DomainEnvironment) {
        id = environment.ids.make(.signInAttempt)
        startedAt = environment.time.now
        (self.email, self.network) = (email, network)
        let digests = environment.digests
        pairKey = digests.sha256(Data("pair\n\(email)\n\(network)".utf8))
        accountKey = digests.sha256(Data("account\n\(email)".utf8))
        networkKey = digests.sha256(Data("network\n\(network)".utf8))
        knownKey = digests.sha256(Data("known\n\(email)\n\(network)".utf8))
    }

    /// Counts the attempt, before its password is checked.
    ///
    /// - Throws: `DomainError.tooManyAttempts`; the attempt is not counted then.
    func begin(in sessions: any SessionRepository) throws {
        let isKnown = try sessions.failures(key: knownKey, since: startedAt.addingTimeInterval(-Self.memory)).count > 0
        let limits =
            [(pairKey, Self.perAccountAndNetwork)]
            + (isKnown ? [] : [(accountKey, Self.perAccount), (networkKey, Self.perNetwork)])
        for (key, limit) in limits {
            guard let wait = try sessions.wait(key: key, limit: limit, window: Self.window, at: startedAt) else {
                continue
            }
            throw DomainError.tooManyAttempts(retryAfterSeconds: wait)
        }
        for key in [pairKey, accountKey] { try sessions.addFailure(key: key, attempt: id, at: startedAt) }
    }

    /// Removes the attempt, whose password was not checked.
    func withdraw(in sessions: any SessionRepository) throws {
        for key in [pairKey, accountKey] { try sessions.removeFailure(key: key, attempt: id) }
    }

    /// Forgets the failures of the account from this network, and remembers the success in their place.
    func succeed(in sessions: any SessionRepository) throws {
        try sessions.clearFailures(key: pairKey)
        try sessions.removeFailure(key: accountKey, attempt: id)
        try remember(in: sessions)
    }

    /// Forgets the failures of the account from all networks, and lets it sign in from this one: its owner has set a new
    /// password.
    func forgive(in sessions: any SessionRepository) throws {
        try sessions.removeAttempts(key: accountKey)
        try sessions.clearFailures(key: pairKey)
        try remember(in: sessions)
    }

    private func remember(in sessions: any SessionRepository) throws {
        try sessions.clearFailures(key: knownKey)
        try sessions.addFailure(key: knownKey, attempt: id, at: startedAt)
    }

    /// Counts the failed attempt in the audit log.
    func audit(in repositories: any Repositories, _ environment: DomainEnvironment) throws {
        let account = try repositories.accounts.account(email: email)
        try AuditLog(environment).recordFailedSignIn(accountId: account?.id, network: network, in: repositories)
    }

    /// Counts the attempt for its network in total.
    func fail(in sessions: any SessionRepository) throws {
        try sessions.addFailure(key: networkKey, attempt: id, at: startedAt)
    }
}

extension Identifier.Kind {
    fileprivate static let signInAttempt = Self("att_")
}
