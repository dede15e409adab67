import Foundation
import Logging
import PouchDomain
import Synchronization

/// Sends the queued e-mails.
///
/// A server leases one e-mail and sends it; the transaction that marks it leases the next, which is sent over the same
/// connection. Another server cannot lease the same e-mail until the lease ends, and an attempt ends before that, so no
/// two servers send an e-mail at the same time. A server that dies blocks the e-mail that it was sending until the
/// lease ends. If it died between sending and marking, the e-mail is sent again, with the same Message-ID.
public final class MailSender: Sendable {
    /// The maximum time that a transport may take for one e-mail.
    public static let tryLimit = Duration.seconds(6 * 60)
    /// The lease of an e-mail in seconds: enough for an attempt and for storing its outcome.
    static let lease: TimeInterval = 7 * 60

    private let store: any Store
    private let time: any TimeSource
    private let random: any RandomSource
    private let writer: MailWriter
    private let transport: any MailTransport
    private let logger: Logger
    /// The state while the mail server accepts no e-mails.
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

    /// The time at which the next e-mail is due; nil without waiting e-mails.
    public func nextDue(in repositories: any Repositories) throws -> Date? {
        try repositories.mails.nextDue().map { max($0, outage.withLock(\.end)) }
    }

    /// Sends all due e-mails. Returns when no more are due, or when no e-mail can be sent at the moment.
    public func run() async throws {
        do {
            var next = try await first()
            while let mail = next { next = try await send(mail) }
            try Task.checkCancellation()
        } catch {
            await transport.finish()
            throw error
        }
        await transport.finish()
    }

    private func first() async throws -> LeasedMail? {
        let now = time.now
        guard outage.withLock(\.end) <= now else { return nil }
        // Reads without a lock first, since most runs find no e-mail.
        guard try await store.read({ try $0.mails.nextDue() }).map({ $0 <= now }) ?? false else { return nil }
        return try await store.write(.readCommitted) { [self] in try leaseNext(in: $0.mails) }
    }

    private func leaseNext(in mails: any MailRepository) throws -> LeasedMail? {
        let now = time.now
        return try mails.lease(at: now, until: now.addingTimeInterval(Self.lease))
    }

    // MARK: One mail

    /// - Returns: the next e-mail; nil if none is due, or no e-mail can be sent at the moment.
    private func send(_ leased: LeasedMail) async throws -> LeasedMail? {
        let mail = leased.mail
        let now = time.now
        do throws(DeliveryError) {
            let end = mail.createdAt.addingTimeInterval(MailQueue.sendingPeriod)
            guard now < min(end, mail.content.link?.expiresAt ?? end) else { throw .refused("it is too old") }
            try await transport.deliver(writer.message(mail))
        } catch {
            return try await failed(leased, error)
        }
        outage.withLock { $0 = Outage() }
        let next = try await note { [time] mails in try mails.markSent(leased, at: time.now) }
        logger.info("mail sent", metadata: Self.metadata(leased))
        return next
    }

    private func failed(_ leased: LeasedMail, _ error: DeliveryError) async throws -> LeasedMail? {
        let now = time.now
        var metadata = Self.metadata(leased)
        metadata["reason"] = "\(error.reason)"
        switch error {
        case .refused(let reason):
            let next = try await note { mails in try mails.markFailed(leased, at: now, failure: reason) }
            logger.error("mail abandoned", metadata: metadata)
            return next
        case .deferred(let reason):
            let end = now.addingTimeInterval(jittered(Self.retries.pause(after: leased.attempt)))
            let next = try await note { mails in try mails.postpone(leased, until: end, failure: reason) }
            logger.notice("mail deferred", metadata: metadata)
            return next
        case .unavailable(let reason):
            // If this server stops, the next one can send the e-mail immediately.
            let end = Task.isCancelled ? now : noteOutage(at: now)
            _ = try await note(goesOn: false) { mails in try mails.postpone(leased, until: end, failure: reason) }
            if !Task.isCancelled { logger.error("sending mail failed; retrying", metadata: metadata) }
            return nil
        }
    }

    /// Stores the outcome of an attempt, even while the server stops: an e-mail that is not marked is sent again.
    ///
    /// - Parameter goesOn: whether to lease the next e-mail with it. A server that stops leases none.
    private func note(
        goesOn: Bool = true, _ change: @escaping @Sendable (any MailRepository) throws -> Bool
    ) async throws -> LeasedMail? {
        let leasesNext = goesOn && !Task.isCancelled
        return try await Task { [self] in
            try await store.write(.readCommitted) { [self] repositories in
                _ = try change(repositories.mails)
                return leasesNext ? try leaseNext(in: repositories.mails) : nil
            }
        }.value
    }

    // MARK: Pauses

    /// From a minute up to four hours: a server with greylisting accepts a second attempt after some minutes, and a
    /// server with a full mailbox should not get attempts too often.
    static let retries = Backoff(first: .seconds(60), factor: 3, longest: .seconds(4 * 3600))
    /// From 5 s up to 15 minutes, for a mail server that accepts no e-mails.
    private static let outages = Backoff(first: .seconds(5), longest: .seconds(15 * 60))

    private func noteOutage(at now: Date) -> Date {
        let failures = outage.withLock { $0.failures }
        let pause = jittered(Self.outages.pause(after: failures + 1))
        return outage.withLock { outage in
            outage.failures += 1
            outage.end = now.addingTimeInterval(pause)
            return outage.end
        }
    }

    /// Between three quarters and five quarters of the pause, so that many servers and e-mails do not arrive at the
    /// same moment.
    private func jittered(_ pause: Duration) -> TimeInterval {
        pause / .seconds(1) * (0.75 + Double(random.bytes(1)[0]) / 510)
    }

    /// The e-mail's metadata for the log, without the recipient and the content.
    private static func metadata(_ leased: LeasedMail) -> Logger.Metadata {
        [
            "mail": "\(leased.mail.id)", "kind": "\(leased.mail.kind.rawValue)", "attempt": "\(leased.attempt)",
        ]
    }
}
