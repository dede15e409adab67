import Foundation

/// One attempt to sign in with a password, counted until it succeeds.
///
/// Failures are limited per account and network, so that a single stranger cannot lock a customer out; per account in
/// total, against guessing from many networks (many strangers together can lock an account); and per network in total,
/// against trying one password on many accounts. Wider networks of an IPv6 client count too (`NetworkShare`).
///
/// An account that has signed in from a network within a day is known there: only the limit per account and network
/// then applies, so that a stranger behind the same address, or with many addresses, cannot lock that customer out.
///
/// An attempt counts for its account from its start, so that concurrent attempts count too. For the network in total it
/// counts once it has failed, so that an office whose staff sign in at the same time is not refused. Concurrent
/// attempts can exceed that limit by the number of passwords of one network that a server checks at once.
package struct SignInAttempt: Sendable {
    static let window = TimeInterval.quarterHour
    static let perAccountAndNetwork = 10
    static let perAccount = 100
    static let perNetwork = 30
    /// The time for which a network is known to an account, in seconds. Attempts are kept for at least as long.
    package static let memory: TimeInterval = 24 * 3600

    private let id: String
    private let startedAt: Date
    private let email: String
    private let network: String
    private let pair: AttemptLimit
    /// The account with the wider networks.
    private let widerPairs: [AttemptLimit]
    private let account: AttemptLimit
    private let networks: [AttemptLimit]
    private let knownKey: Data

    init(email: String, network: String, _ environment: DomainEnvironment) {
        id = environment.ids.make(.attempt)
        startedAt = environment.time.now
        (self.email, self.network) = (email, network)
        let digests = environment.digests
        let shares = NetworkShare.all(of: network)
        pair = AttemptLimit(Self.perAccountAndNetwork, "pair", email, network, by: digests)
        widerPairs = shares.dropFirst().map {
            AttemptLimit(Self.perAccountAndNetwork * $0.factor, "pair", email, $0.network, by: digests)
        }
        account = AttemptLimit(Self.perAccount, "account", email, by: digests)
        networks = shares.map { AttemptLimit(Self.perNetwork * $0.factor, "network", $0.network, by: digests) }
        knownKey = AttemptLimit(1, "known", email, network, by: digests).key
    }

    /// The keys under which the attempt counts from its start.
    private var keys: [Data] { ([pair] + widerPairs + [account]).map(\.key) }

    /// Counts the attempt, before its password is checked.
    ///
    /// - Throws: `DomainError.tooManyAttempts`, without counting the attempt.
    func begin(in sessions: any SessionRepository) throws {
        let isKnown = try !sessions.failures(keys: [knownKey], since: startedAt.addingTimeInterval(-Self.memory))
            .isEmpty
        let limits = isKnown ? [pair] : [pair] + widerPairs + [account] + networks
        if let wait = try sessions.wait(limits, window: Self.window, at: startedAt) {
            throw DomainError.tooManyAttempts(retryAfterSeconds: wait)
        }
        for key in keys { try sessions.addFailure(key: key, attempt: id, at: startedAt) }
    }

    /// Removes the attempt, since its password was not checked.
    func withdraw(in sessions: any SessionRepository) throws {
        for key in keys { try sessions.removeFailure(key: key, attempt: id) }
    }

    /// Clears the failures of the account from this network, and stores the success instead.
    func succeed(in sessions: any SessionRepository) throws {
        try withdraw(in: sessions)
        try sessions.clearFailures(key: pair.key)
        try remember(in: sessions)
    }

    /// Clears the failures of the account from all networks, and allows it to sign in from this one: its owner has set
    /// a new password.
    func forgive(in sessions: any SessionRepository) throws {
        try sessions.removeAttempts(key: account.key)
        try sessions.clearFailures(key: pair.key)
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

    /// Counts the attempt for its networks in total.
    func fail(in sessions: any SessionRepository) throws {
        for limit in networks { try sessions.addFailure(key: limit.key, attempt: id, at: startedAt) }
    }
}

extension TimeInterval {
    /// The time for which failures count: sign-ins, payments and discount codes.
    package static let quarterHour: TimeInterval = 15 * 60
}
