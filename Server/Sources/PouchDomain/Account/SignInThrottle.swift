import Foundation

/// Bounds failed sign-ins: by account and network together, so that one stranger cannot lock somebody out, and by
/// account in all, against guessing from many networks, at the price that many strangers can.
///
/// An attempt counts as failed from its beginning until it has succeeded, so that attempts at the same time count too.
struct SignInThrottle: Sendable {
    static let window: TimeInterval = 15 * 60
    static let perNetwork = 10
    static let perAccount = 100

    private let pairKey: Data
    private let accountKey: Data

    /// The keys are hashes, so that the table of failures holds no addresses.
    init(email: String, address: String, digests: any Digests) {
        pairKey = digests.sha256(Data("pair\n\(email)\n\(Self.network(of: address))".utf8))
        accountKey = digests.sha256(Data("account\n\(email)".utf8))
    }

    /// To be called before the password is looked at.
    ///
    /// - Throws: `DomainError.tooManyAttempts`; the attempt is not counted then.
    func begin(_ sessions: any SessionRepository, now: Date) throws {
        for (key, limit) in [(pairKey, Self.perNetwork), (accountKey, Self.perAccount)] {
            let failures = try sessions.failures(key: key, since: now.addingTimeInterval(-Self.window))
            guard failures.count >= limit else { continue }
            let oldest = failures.oldest ?? now
            let wait = oldest.addingTimeInterval(Self.window).timeIntervalSince(now)
            throw DomainError.tooManyAttempts(retryAfterSeconds: max(1, Int(wait.rounded(.up))))
        }
        try sessions.addFailure(key: pairKey, at: now)
        try sessions.addFailure(key: accountKey, at: now)
    }

    /// Takes the attempt back, since nobody looked at its password.
    ///
    /// - Parameter begun: what `begin` was given.
    func withdraw(_ sessions: any SessionRepository, begun: Date) throws {
        try sessions.removeFailure(key: pairKey, at: begun)
        try sessions.removeFailure(key: accountKey, at: begun)
    }

    /// - Parameter begun: what `begin` was given.
    func succeed(_ sessions: any SessionRepository, begun: Date) throws {
        try sessions.clearFailures(key: pairKey)
        try sessions.removeFailure(key: accountKey, at: begun)
    }

    /// Whoever has one address of IPv6 has the 64 bits behind it too.
    private static func network(of address: String) -> String {
        var bytes = in6_addr()
        guard inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
        let all = withUnsafeBytes(of: &bytes) { Array($0) }
        let isMappedIPv4 = all.prefix(10).allSatisfy { $0 == 0 } && all[10] == 0xff && all[11] == 0xff
        return (isMappedIPv4 ? all : Array(all.prefix(8))).map { String(format: "%02x", $0) }.joined()
    }
}
