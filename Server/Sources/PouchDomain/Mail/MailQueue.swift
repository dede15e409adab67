import Foundation
import PouchEntities

/// Queues e-mails, each in the transaction of its cause, so that both are stored or neither. The cause is a change, or
/// for the steps of an order the event of one, which a job handles after the commit.
///
///     try environment.mails.queue(
///         .passwordReset, to: MailRecipient(account),
///         MailContent(name: account.name, link: SignedLink(.passwordReset, id: reset.id, expiresAt: reset.expiresAt)),
///         in: repositories)
///
/// A server sends queued e-mails soon after the commit.
public struct MailQueue: Sendable {
    /// The time after which an unsent e-mail is abandoned, in seconds: by then it would confuse rather than help.
    public static let sendingPeriod: TimeInterval = 2 * 24 * 3600
    /// The time for which an e-mail is kept, unless it is still waiting, in seconds.
    public static let retention: TimeInterval = 30 * 24 * 3600

    let ids: Identifier
    let time: any TimeSource

    /// - Parameters:
    ///   - content: text entered by people is omitted for a recipient who has not confirmed the address.
    ///   - eventId: the event that the e-mail is about, if any. One event sends one e-mail of a kind to an address.
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

/// The recipient of an e-mail.
///
/// Anyone can enter another person's address. Until its owner has used a link sent to it, its e-mails contain no
/// entered text: otherwise strangers could send their words to strangers in the shop's name.
public struct MailRecipient: Sendable, Equatable {
    public let email: String
    /// The account or guest session whose data the e-mail contains; the e-mail is deleted with the account.
    public let ownerId: String?
    /// Whether the owner of the address has confirmed it.
    public let hasConfirmed: Bool

    /// Creates the recipient for an account's owner, at its address.
    public init(_ account: AccountRecord) {
        self.init(account.email, of: account, ownerId: account.id)
    }

    /// - Parameter account: the account that entered the address; nil without one. It has confirmed only its own
    ///   address.
    public init(_ email: String, of account: AccountRecord?, ownerId: String?) {
        self.email = email
        self.ownerId = ownerId
        hasConfirmed = account?.email == email && account?.emailVerifiedAt != nil
    }
}

extension DomainEnvironment {
    public var mails: MailQueue { MailQueue(ids: ids, time: time) }
}

/// An e-mail that waits to be sent.
public struct QueuedMail: Sendable, Equatable {
    /// The id, also the local part of the Message-ID, so that an e-mail that is sent again can be recognised.
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

/// An e-mail that one server may send until its lease ends.
public struct LeasedMail: Sendable, Equatable {
    public let mail: QueuedMail
    /// The number of this attempt, from 1. A server whose lease has passed to another can no longer change anything.
    public let attempt: Int

    public init(mail: QueuedMail, attempt: Int) {
        self.mail = mail
        self.attempt = attempt
    }
}

/// An unsent e-mail, without its content.
public struct UnsentMail: Sendable, Equatable {
    public let id: String
    /// The kind. A server of a later release may have queued an unknown one.
    public let kind: String
    public let recipient: String
    public let createdAt: Date
    public let attempts: Int
    /// The time of the next attempt; nil if the e-mail was abandoned.
    public let dueAt: Date?
    /// The reason why the last attempt failed, for the operator.
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
    /// Queues an e-mail, unless there is one of the same kind and event to the same recipient.
    func enqueue(_ mail: QueuedMail) throws
    /// The time at which the next e-mail is due; nil without waiting e-mails.
    func nextDue() throws -> Date?
    /// Leases the e-mail that is due first, until a time: its attempts increase by one, and it is due again when the
    /// lease ends. Concurrent transactions lease different e-mails.
    ///
    /// - Returns: nil if no e-mail is due, or others are leasing those that are.
    func lease(at: Date, until: Date) throws -> LeasedMail?
    /// - Returns: false, without writing, when a later attempt has started or the e-mail has ended.
    @discardableResult
    func markSent(_ mail: LeasedMail, at: Date) throws -> Bool
    /// Schedules another attempt at a time.
    ///
    /// - Parameter failure: the reason for the operator, without the e-mail's content.
    /// - Returns: the same as `markSent`.
    @discardableResult
    func postpone(_ mail: LeasedMail, until: Date, failure: String) throws -> Bool
    /// Abandons the e-mail.
    ///
    /// - Returns: the same as `markSent`.
    @discardableResult
    func markFailed(_ mail: LeasedMail, at: Date, failure: String) throws -> Bool
    /// The number of waiting e-mails, and the time since which the oldest has been waiting.
    func waiting() throws -> (count: Int, oldest: Date?)

    /// The waiting e-mails, and those that were queued since a time and abandoned: latest first, after the one with the
    /// id.
    func unsent(since: Date, after id: String?, limit: Int) throws -> [UnsentMail]
    /// The number of e-mails that were queued since a time and abandoned, counted up to the limit.
    func failed(since: Date, limit: Int) throws -> Int

    /// The e-mails of an owner, latest first, after the one with the id.
    func mails(ownerId: String, after id: String?, limit: Int) throws -> [(id: String, mail: SentMail)]
    /// Moves all e-mails of one owner to another.
    func move(from ownerId: String, to newOwnerId: String) throws
    func delete(ownerId: String) throws
    /// Deletes e-mails that are no longer waiting and were queued before a time, at most `limit`. Returns whether there
    /// may be more.
    func purge(before: Date, limit: Int) throws -> Bool
}
