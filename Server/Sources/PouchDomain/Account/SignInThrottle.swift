import Foundation

/// Limits failed sign-ins: per account and network, so that one stranger cannot lock a customer out, and per account in
/// total, against guessing from many networks (many strangers together can lock an account).
///
/// An attempt counts as failed from its start until it succeeds, so that concurrent attempts count too.
struct SignInThrottle: Sendable {
    static let window: TimeInterval = 15 * 60
    static let perNetwork = 10
    static let perAccount = 100

    private let pairKey: Data
    private let accountKey: Data

    /// The keys are hashes, so that the stored failures contain no addresses.
    init(email: String, address: String, digests: any Digests) {
        pairKey = digests.sha256(Data("pair\n\(email)\n\(Self.network(of: address))".utf8))
        accountKey = digests.sha256(Data("account\n\(email)".utf8))
    }

    /// Counts an attempt, before its password is checked.
    ///
    /// - Throws: `DomainError.tooManyAttempts`; the attempt is not counted then.
    func count(_ sessions: any SessionRepository, now: Date) throws {
        for (key, limit) in [(pairKey, Self.perNetwork), (accountKey, Self.perAccount)] {
            let failures = try sessions.failures(key: key, since: now.addingTimeInterval(-Self.window))
            guard failures.count >= limit else { continue }
            let oldest = failures.oldest ?? now
            let wait = oldest.addingTimeInterval(Self.window).timeIntervalSince(now)
            throw DomainError.tooManyAttempts(retryAfterSeconds: max(1, Int(wait.rounded(.up))))
        }
        for key in [pairKey, accountKey] { try sessions.addFailure(key: key, at: now) }
    }

    /// Removes an attempt whose password was not checked.
    ///
    /// - Parameter startedAt: the time at which the attempt was counted.
    func removeAttempt(_ sessions: any SessionRepository, startedAt: Date) throws {
        for key in [pairKey, accountKey] { try sessions.removeFailure(key: key, at: startedAt) }
    }

    /// - Parameter startedAt: the time at which the attempt was counted.
    func clear(_ sessions: any SessionRepository, startedAt: Date) throws {
        try sessions.clearFailures(key: pairKey)
        try sessions.removeFailure(key: accountKey, at: startedAt)
    }

    /// An IPv6 network of 64 bits usually belongs to one customer.
    private static func network(of address: String) -> String {
        var bytes = in6_addr()
        guard inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
        let all = withUnsafeBytes(of: &bytes) { Array($0) }
        let isMappedIPv4 = all.prefix(10).allSatisfy { $0 == 0 } && all[10] == 0xff && all[11] == 0xff
        return (isMappedIPv4 ? all : Array(all.prefix(8))).hexadecimal
    }
}

extension Sequence<UInt8> {
    package var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}
