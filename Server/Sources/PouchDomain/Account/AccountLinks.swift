import Foundation
import PouchEntities

/// The record behind a link in an e-mail to an account's owner. It makes the link work once: only the request that
/// removes the record can use the link. The link's token is not stored.
public struct AccountLink: Sendable, Equatable {
    /// The time for which a link is kept after it has expired, in seconds.
    public static let retention: TimeInterval = 24 * 3600

    public let id: String
    public let purpose: SignedLink.Purpose
    /// nil for a password reset request until background work has looked for the account.
    public let accountId: String?
    /// The address of the e-mail, normalized as in `AccountRules`.
    public let email: String
    public let createdAt: Date
    public let expiresAt: Date

    public init(
        id: String, purpose: SignedLink.Purpose, accountId: String?, email: String, createdAt: Date, expiresAt: Date
    ) {
        self.id = id
        self.purpose = purpose
        self.accountId = accountId
        self.email = email
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// The link in the e-mail, before its token is created.
    var signed: SignedLink { SignedLink(purpose, id: id, expiresAt: expiresAt) }
}

public protocol AccountLinkRepository {
    func insert(_ link: AccountLink) throws
    func link(id: String) throws -> AccountLink?
    /// - Returns: false when the link no longer exists.
    func remove(id: String) throws -> Bool
    /// Removes the links of an account for a purpose, except those to one address.
    func removeAll(accountId: String, purpose: SignedLink.Purpose, except email: String?) throws

    /// The links without an account, oldest first.
    func requests(limit: Int) throws -> [AccountLink]
    /// The time of the oldest link without an account.
    func oldestRequest() throws -> Date?
    /// Sets the account and the expiry of a link.
    ///
    /// - Returns: false, without writing, when the link already has an account or no longer exists.
    func accept(id: String, accountId: String, expiresAt: Date) throws -> Bool
    /// Deletes links that expired before a time, at most `limit`. Returns whether there may be more.
    func purge(before: Date, limit: Int) throws -> Bool
}

extension AccountService {
    /// The unused link of a token.
    ///
    /// - Throws: `DomainError.linkInvalid`, for any reason.
    func link(
        _ purpose: SignedLink.Purpose, from token: String, in repositories: any Repositories
    ) throws -> (link: AccountLink, accountId: String) {
        let now = environment.time.now
        do {
            let signed = try links.link(purpose, from: token, at: now, in: repositories)
            guard let link = try repositories.accountLinks.link(id: signed.id), link.purpose == purpose,
                now < link.expiresAt, let accountId = link.accountId
            else { throw DomainError.linkInvalid }
            return (link, accountId)
        } catch is SignedLinkError {
            throw DomainError.linkInvalid
        }
    }
}

/// A request for an e-mail with a link, counted so that a stranger cannot fill another person's mailbox: per recipient
/// and network, per recipient in total, per network in total (including wider IPv6 networks) and, if an account sends
/// the request, per account. It counts the same whether or not the recipient has an account.
struct LinkRequest: Sendable {
    static let window: TimeInterval = 3_600
    static let perRecipientAndNetwork = 3
    static let perRecipient = 10
    static let perNetwork = 30
    static let perAccount = 5

    private let id: String
    private let startedAt: Date
    private let limits: [AttemptLimit]

    /// - Parameter accountId: the requesting account; nil without a session.
    init(
        _ purpose: SignedLink.Purpose, to email: String, network: String, accountId: String? = nil,
        _ environment: DomainEnvironment
    ) {
        id = environment.ids.make(.linkRequest)
        startedAt = environment.time.now
        func limit(_ most: Int, _ name: String, _ values: String...) -> AttemptLimit {
            let name = ([purpose.rawValue + " " + name] + values).joined(separator: "\n")
            return AttemptLimit(most, name, by: environment.digests)
        }
        var limits = [limit(Self.perRecipient, "recipient", email)]
        for share in NetworkShare.all(of: network) {
            limits.append(limit(Self.perRecipientAndNetwork * share.factor, "pair", email, share.network))
            limits.append(limit(Self.perNetwork * share.factor, "network", share.network))
        }
        if let accountId { limits.append(limit(Self.perAccount, "account", accountId)) }
        self.limits = limits
    }

    /// Counts the request.
    ///
    /// - Throws: `DomainError.tooManyRequests`, without counting the request.
    func begin(in sessions: any SessionRepository) throws {
        if let wait = try wait(in: sessions) { throw DomainError.tooManyRequests(retryAfterSeconds: wait) }
        try count(in: sessions)
    }

    /// Counts the request if it is within the limits.
    ///
    /// - Returns: whether it is within the limits.
    func mayBegin(in sessions: any SessionRepository) throws -> Bool {
        guard try wait(in: sessions) == nil else { return false }
        // Without asking again: others that were counted since must not refuse this request.
        try count(in: sessions)
        return true
    }

    private func count(in sessions: any SessionRepository) throws {
        for limit in limits { try sessions.addFailure(key: limit.key, attempt: id, at: startedAt) }
    }

    private func wait(in sessions: any SessionRepository) throws -> Int? {
        try sessions.wait(limits, window: Self.window, at: startedAt)
    }
}
