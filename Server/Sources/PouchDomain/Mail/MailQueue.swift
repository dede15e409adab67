import Foundation
import PouchEntities

/// Queues mails, each in the transaction of its reason: both are stored, or neither.
///
///     try environment.mails.queue(
///         .passwordReset, to: MailRecipient(account),
///         MailContent(name: account.name, link: SignedLink(.passwordReset, id: reset.id, expiresAt: reset.expiresAt)),
///         in: repositories)
///
/// A server sends what is queued soon after the commit.
public struct MailQueue: Sendable {
    /// Seconds after which an unsent mail is given up: by then it would confuse rather than help.
    public static let lifetime: TimeInterval = 2 * 24 * 3600
    /// Seconds for which a mail is kept, unless it still waits.
    public static let lifetime: TimeInterval = 30 * 24 * 3600

    private let ids: Identifier
    private let time: any TimeSource

    init(ids: Identifier, time: any TimeSource) {
        self.ids = ids
        self.time = time
    }

    /// - Parameters:
    ///   - content: what people have typed is left out for a recipient who has not confirmed the address.
    ///   - eventId: the event that the mail is about, if any. One event sends one mail of a kind to an address.
    public func queue(
        _ kind: MailKind, to recipient: MailRecipient, _ content: MailContent, eventId: String? = nil,
        in repositories: any Repositories
    ) throws {
        try repositories.mails.enqueue(
            QueuedMail(
                id: ids.make(.mail), kind: kind, recipient: recipient.email, ownerId: recipient.ownerId,
                content: recipient.hasConfirmed ? content : content.withoutPersonalText, eventId: eventId,
                createdAt: time.now))
    }
}

/// The person who gets a mail.
///
/// Anyone can type an address that is another person's. Until its owner has used a link that was mailed to it, its mails
/// say nothing that was typed: otherwise strangers could send their words to strangers in the shop's name.
public struct MailRecipient: Sendable, Equatable {
    public let email: String
    /// The account or guest session whose data the mail holds; the mail is deleted with the account.
    public let ownerId: String?
    /// Whether the owner of the address has confirmed it.
    public let hasConfirmed: Bool

    /// The owner of an account, at its address.
    public init(_ account: AccountRecord) {
        self.init(account.email, of: account, ownerId: account.id)
    }

    /// - Parameter account: the account for which the address was typed; nil without one. It has confirmed its own address
    ///   alone.
    public init(_ email: String, of account: AccountRecord?, ownerId: String?) {
        self.email = email
        self.ownerId = ownerId
        hasConfirmed = account?.email == email && account?.emailVerifiedAt != nil
    }
}

extension DomainEnvironment {
    public var mails: MailQueue { MailQueue(ids: ids, time: time) }
}

/// A mail that waits for its sending.
public struct QueuedMail: Sendable, Equatable {
    /// Also the local part of the Message-ID, so that a mail that is sent again can be recognised.
    public let id: String
    public let kind: MailKind
    public let recipient: String
    public let ownerId: String?
    public let content: MailContent
    public let eventId: String?
    public let createdAt: Date

    public init(
        id: String, kind: MailKind, recipient: String, ownerId: String?, content: MailContent, eventId: String? = nil,
        createdAt: Date
    ) {
        self.id = id
        self.kind = kind
        self.recipient = recipient
        self.ownerId = ownerId
        self.content = content
        self.eventId = eventId
        self.createdAt = createdAt
    }
}

/// A mail that one server may send until its lease ends.
public struct LeasedMail: Sendable, Equatable {
    public let mail: QueuedMail
    /// The number of this attempt, from 1. A server whose lease another has taken over changes nothing any more.
    public let attempt: Int

    public init(mail: QueuedMail, attempt: Int) {
        self.mail = mail
        self.attempt = attempt
    }
}

/// A mail that was not sent, without its content.
public struct UnsentMail: Sendable, Equatable {
    public let id: String
    /// A server of a later release may have queued one of another kind.
    public let kind: String
    public let recipient: String
    public let createdAt: Date
    public let attempts: Int
    /// The time of the next attempt; nil for a mail that was given up.
    public let dueAt: Date?
    /// Why the last attempt failed, for the operator.
    public let failure: String?

    public init(
        id: String, kind: String, recipient: String, createdAt: Date, attempts: Int, dueAt: Date?, failure: String?
    ) {
        self.id = id
        self.kind = kind
        self.recipient = recipient
        self.createdAt = createdAt
        self.attempts = attempts
        self.dueAt = dueAt
        self.failure = failure
    }
}

public protocol MailRepository {
    /// Ignores a second mail of the same kind and event to the same recipient.
    func enqueue(_ mail: QueuedMail) throws
    /// The time at which the next mail is due; nil without waiting mails.
    func nextDue() throws -> Date?
    /// Leases the mail that is due first, until a time: it counts one more attempt, and is due again when the lease
    /// ends. Transactions at the same time lease different mails.
    ///
    /// - Returns: nil if no mail is due, or others are leasing those that are.
    func lease(at: Date, until: Date) throws -> LeasedMail?
    /// - Returns: false, and nothing is written, when a later attempt has begun or the mail has ended.
    @discardableResult
    func markSent(_ mail: LeasedMail, at: Date) throws -> Bool
    /// Tries the mail again at a time.
    ///
    /// - Parameter failure: for the operator, without the mail's content.
    /// - Returns: like `markSent`.
    @discardableResult
    func postpone(_ mail: LeasedMail, until: Date, failure: String) throws -> Bool
    /// Gives the mail up.
    ///
    /// - Returns: like `markSent`.
    @discardableResult
    func markFailed(_ mail: LeasedMail, at: Date, failure: String) throws -> Bool
    /// The number of mails that wait, and the time since which the oldest does.
    func waiting() throws -> (count: Int, oldest: Date?)

    /// The mails that wait, and those that were given up and queued since a time: the latest first, after the one with
    /// the id.
    func unsent(since: Date, after id: String?, limit: Int) throws -> [UnsentMail]
    /// The number of the mails that were given up and queued since a time, counted up to the limit.
    func failed(since: Date, limit: Int) throws -> Int

    /// The mails of an owner, the latest first, after the one with the id.
    func mails(ownerId: String, after id: String?, limit: Int) throws -> [(id: String, mail: SentMail)]
    /// Moves all mails of one owner to another.
    func move(from ownerId: String, to newOwnerId: String) throws
    func delete(ownerId: String) throws
    /// Deletes mails that do not wait any more and were queued before a time, at most `limit`. Returns whether there may
    /// be more.
    func purge(before: Date, limit: Int) throws -> Bool
}

extension Identifier.Kind {
    public static let mail = Self("mai_")
}
