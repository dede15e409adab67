import Foundation

/// Bounds failed sign-ins: by account and address together, so that nobody is locked out by a stranger elsewhere, and
/// by account in all, against guessing from many addresses.
struct SignInThrottle: Sendable {
    static let window: TimeInterval = 15 * 60
    static let perAddress = 10
    static let perAccount = 100

    private let pairKey: Data
    private let accountKey: Data

    /// The keys are hashes, so that the table of failures holds no addresses.
    init(email: String, address: String, digests: any Digests) {
        pairKey = digests.sha256(Data("pair\n\(email)\n\(address)".utf8))
        accountKey = digests.sha256(Data("account\n\(email)".utf8))
    }

    /// - Throws: `DomainError.tooManyAttempts`.
    func check(_ sessions: any SessionRepository, now: Date) throws {
        for (key, limit) in [(pairKey, Self.perAddress), (accountKey, Self.perAccount)] {
            let failures = try sessions.failures(key: key, since: now.addingTimeInterval(-Self.window))
            guard failures.count >= limit else { continue }
            let oldest = failures.oldest ?? now
            let wait = oldest.addingTimeInterval(Self.window).timeIntervalSince(now)
            throw DomainError.tooManyAttempts(retryAfterSeconds: max(1, Int(wait.rounded(.up))))
        }
    }

    func fail(_ sessions: any SessionRepository, now: Date) throws {
        try sessions.addFailure(key: pairKey, at: now)
        try sessions.addFailure(key: accountKey, at: now)
    }

    func succeed(_ sessions: any SessionRepository) throws {
        try sessions.clearFailures(key: pairKey)
    }
}
