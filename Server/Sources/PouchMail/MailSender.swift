import Foundation
import Logging
import PouchDomain
import Synchronization

/// Sends the queued mails.
///
/// A server leases some mails, sends them one after the other over one connection, and marks each as it goes. Another
/// server cannot lease the same mails until the lease ends, so a mail is sent once. A server that dies between the sending
/// and the mark sends the mail again, under the same Message-ID.
public final class MailSender: Sendable {
    /// Mails that are leased together.
    private static let batch = 10
    /// Longer than a slow mail server takes for one mail.
    private static let lease: TimeInterval = 15 * 60
    /// The least time that has to be left of a lease when the sending of a mail begins.
    private static let leastLease: TimeInterval = 8 * 60

    private let store: any Store
    private let time: any TimeSource
    private let random: any RandomSource
    private let writer: MailWriter
    private let transport: any MailTransport
    private let logger: Logger
    /// The state while the mail server takes no mail at all.
    private let outage = Mutex(Outage())

    private struct Outage {
        var failures = 0
        var end = Date.distantPast
    }

    public init(_ environment: DomainEnvironment, writer: MailWriter, transport: any MailTransport, logger: Logger) {
        store = environment.store
        time = environment.time
        random = environment.random
        self.writer = writer
        self.transport = transport
        self.logger = logger
    }

    /// The time at which the next mail is due; nil without waiting mails.
    public func nextDue(in repositories: any Repositories) throws -> Date? {
        try repositories.mails.nextDue().map { max($0, outage.withLock(\.end)) }
    }

    /// Sends all mails that are due. Returns when no more are due, or when no mail can be sent at present.
    public func run() async throws {
        do {
            while try await sendSome() { try Task.checkCancellation() }
        } catch {
            await transport.finish()
            throw error
        }
        await transport.finish()
    }

    /// - Returns: whether more may be due.
    private func sendSome() async throws -> Bool {
        let now = time.now
        guard outage.withLock(\.end) <= now else { return false }
        let leaseEnd = now.addingTimeInterval(Self.lease)
        // Reads without a lock first, since most runs find no mail.
        guard try await store.read({ try $0.mails.nextDue() }).map({ $0 <= now }) ?? false else { return false }
        let mails = try await store.write(.readCommitted) {
            try $0.mails.lease(at: now, until: leaseEnd, limit: Self.batch)
        }
        for (index, mail) in mails.enumerated() {
            let goesOn = try await send(mail)
            let isTimeLeft = leaseEnd.timeIntervalSince(time.now) > Self.leastLease
            guard goesOn, isTimeLeft, !Task.isCancelled else {
                try await giveBack(Array(mails[(index + 1)...]))
                return goesOn
            }
        }
        return !mails.isEmpty
    }

    // MARK: One mail

    /// - Returns: whether the next mail can be tried.
    private func send(_ leased: LeasedMail) async throws -> Bool {
        let mail = leased.mail
        let now = time.now
        do throws(DeliveryError) {
            let end = mail.createdAt.addingTimeInterval(MailQueue.patience)
            guard now < min(end, mail.content.link?.expiresAt ?? end) else { throw .refused("it is too old") }
            try await transport.deliver(writer.message(mail))
        } catch {
            return try await failed(leased, error)
        }
        outage.withLock { $0 = Outage() }
        try await note { [time] mails in try mails.markSent(leased, at: time.now) }
        logger.info("mail sent", metadata: Self.metadata(leased))
        return true
    }

    private func failed(_ leased: LeasedMail, _ error: DeliveryError) async throws -> Bool {
        let now = time.now
        var metadata = Self.metadata(leased)
        metadata["reason"] = "\(error.reason)"
        switch error {
        case .refused(let reason):
            try await note { mails in try mails.markFailed(leased, at: now, failure: reason) }
            logger.error("mail given up", metadata: metadata)
            return true
        case .deferred(let reason):
            let next = now.addingTimeInterval(jittered(Self.pause(after: leased.attempt)))
            try await note { mails in try mails.postpone(leased, until: next, failure: reason) }
            logger.notice("mail deferred", metadata: metadata)
            return true
        case .unavailable(let reason):
            // If this server stops, the next one can send the mail at once.
            let end = Task.isCancelled ? now : noteOutage(at: now)
            try await note { mails in try mails.postpone(leased, until: end, failure: reason) }
            if !Task.isCancelled { logger.error("no mail can be sent; it is tried again", metadata: metadata) }
            return false
        }
    }

    private func giveBack(_ mails: [LeasedMail]) async throws {
        guard !mails.isEmpty else { return }
        let end = max(time.now, outage.withLock(\.end))
        try await note { queue in
            for mail in mails { try queue.postpone(mail, until: end, failure: "waits for others") }
        }
    }

    /// Stores the outcome of attempts, also while the server stops: a mail that is not marked is sent again.
    private func note(_ change: @escaping @Sendable (any MailRepository) throws -> Void) async throws {
        try await Task { [store] in try await store.write(.readCommitted) { try change($0.mails) } }.value
    }

    // MARK: Pauses

    /// From a minute up to four hours: a server with greylisting accepts a second try after some minutes, and a server
    /// with a full mailbox should not get tries too often.
    static func pause(after attempt: Int) -> TimeInterval { min(4 * 3600, 60 * pow(3, Double(max(0, attempt - 1)))) }

    /// From 5 s up to 15 minutes, for one server that takes no mail at all.
    private func noteOutage(at now: Date) -> Date {
        let failures = outage.withLock { $0.failures }
        let pause = jittered(min(15 * 60, 5 * pow(2, Double(min(failures, 10)))))
        return outage.withLock { outage in
            outage.failures += 1
            outage.end = now.addingTimeInterval(pause)
            return outage.end
        }
    }

    /// Between three quarters and five quarters, so that many servers and mails do not come at the same moment.
    private func jittered(_ pause: TimeInterval) -> TimeInterval {
        pause * (0.75 + Double(random.bytes(1)[0]) / 510)
    }

    /// The mail's metadata for the log, without the recipient and the content.
    private static func metadata(_ leased: LeasedMail) -> Logger.Metadata {
        [
            "mail": "\(leased.mail.id)", "kind": "\(leased.mail.kind.rawValue)", "attempt": "\(leased.attempt)",
        ]
    }
}
