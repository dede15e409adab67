import Foundation
import PouchEntities

/// Queues the e-mails that follow from events: to buyers about orders, and to the shop's owners about its webhooks.
///
///     let consumer = EventMails(environment).consumer(sendsMail: true)
///
/// A buyer gets one e-mail for each step of an order, one for each refund, and one when the tracking number of an order
/// on its way has changed. A guest's e-mails have a link that opens the order without signing in.
public struct EventMails: Sendable {
    /// The time for which the link in an e-mail opens the order, in seconds.
    public static let linkLifetime: TimeInterval = 180 * 24 * 3600

    private let environment: DomainEnvironment

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
    }

    /// Without mail the events are still processed, so that a later start with mail does not report old news.
    ///
    /// - Parameter sendsMail: whether this server sends e-mails.
    public func consumer(sendsMail: Bool) -> EventConsumer {
        let types = sendsMail ? Set(EventType.allCases.filter { MailKind(of: $0) != nil } + [.webhookPaused]) : []
        return EventConsumer("mail", environment.store, types: types, take: queue)
    }

    @Sendable func queue(for events: [EventRecord], in repositories: any Repositories) throws {
        // If mail was just switched on, buyers get no e-mails about old events.
        let earliest = environment.time.now.addingTimeInterval(-MailQueue.sendingPeriod)
        for record in events where record.event.createdAt > earliest {
            // An unreadable event of a later release must not stop all e-mails.
            guard let event = try? record.shopEvent else { continue }
            if let kind = MailKind(of: event.type) {
                try queue(kind, event, in: repositories)
            } else {
                try queueForOwners(event, in: repositories)
            }
        }
    }

    private func queueForOwners(_ event: ShopEvent, in repositories: any Repositories) throws {
        guard let webhook = event.data.webhook else { return }
        // A delivery that was answered with 410 is not marked as failed, so the latest deliveries of all statuses
        // count.
        let last = try repositories.webhooks.deliveries(webhookId: webhook.id, status: nil, after: nil, limit: 50)
            .compactMap(\.attempts.last).filter { !$0.isSuccess }.max { $0.at < $1.at }
        let failure = last.flatMap { $0.error ?? $0.status.map { "the answer had the status \($0)" } }
        for owner in try repositories.staff.owners(at: environment.time.now) {
            try environment.mails.queue(
                .webhookPaused,
                to: MailRecipient(
                    owner.email, of: try repositories.accounts.account(id: owner.id), ownerId: owner.id),
                MailContent(
                    name: owner.name,
                    webhook: .init(
                        id: webhook.id, url: webhook.url,
                        // The sentence in the e-mail has its own full stop.
                        failure: (failure ?? "unknown").trimmingCharacters(in: ["."]),
                        failingSince: webhook.failingSince ?? event.createdAt)),
                eventId: event.id, in: repositories)
        }
    }

    private func queue(_ kind: MailKind, _ event: ShopEvent, in repositories: any Repositories) throws {
        // The buyer may have deleted the account since the event, and the current order then has no address.
        guard let stored = try repositories.orders.order(id: event.objectId), let recipient = stored.order.email else {
            return
        }
        let order = event.data.order ?? stored.order
        if kind == .orderTrackingChanged, !stored.order.isOnItsWay(withTrackingOf: order) { return }
        let account = try repositories.accounts.account(id: stored.ownerId)
        let link =
            account == nil
            ? SignedLink(
                .order, id: stored.order.id, expiresAt: event.createdAt.addingTimeInterval(Self.linkLifetime)) : nil
        try environment.mails.queue(
            kind, to: MailRecipient(recipient, of: account, ownerId: stored.ownerId),
            MailContent(order: order, refund: event.data.refund, name: account?.name, link: link),
            eventId: event.id, in: repositories)
    }
}

extension MailKind {
    /// - Returns: nil for an event without an e-mail. The e-mail about a refund belongs to `refundSucceeded`, so
    ///   `orderRefunded` and `orderPartiallyRefunded`, which accompany it, have none.
    fileprivate init?(of event: EventType) {
        switch event {
        case .orderPlaced: self = .orderReceived
        case .orderPaid: self = .orderPaid
        case .orderFulfilled: self = .orderSent
        // Other changes of the delivery happen before the order is sent, and have no e-mail.
        case .orderDeliveryChanged: self = .orderTrackingChanged
        case .orderDelivered: self = .orderDelivered
        case .orderCancelled: self = .orderCancelled
        case .refundSucceeded: self = .orderRefunded
        default: return nil
        }
    }
}

extension Order {
    /// Whether the order is on its way with the tracking number that it had at an event. After a later change, the
    /// e-mail about that change is enough: two e-mails could arrive in the wrong order.
    fileprivate func isOnItsWay(withTrackingOf earlier: Order) -> Bool {
        guard tracking != nil, tracking == earlier.tracking else { return false }
        let statuses = Set(earlier.history.map(\.status))
        return statuses.contains(.fulfilled) && !statuses.contains(.delivered)
    }
}

/// Finds the order behind a link in an e-mail.
public struct OrderLinks: Sendable {
    private let signer: LinkSigner
    private let time: any TimeSource

    public init(_ environment: DomainEnvironment, keyRing: KeyRing) {
        signer = LinkSigner(keyRing: keyRing, digests: environment.digests)
        time = environment.time
    }

    /// The order that the token of a link opens.
    ///
    /// - Throws: `DomainError.linkInvalid`, also when the buyer's data have been deleted since; `.linkExpired`.
    public func order(token: String, in repositories: any Repositories) throws -> OrderRecord {
        let link: SignedLink
        do {
            link = try signer.link(.order, from: token, at: time.now, in: repositories)
        } catch SignedLinkError.expired {
            throw DomainError.linkExpired
        } catch SignedLinkError.invalid {
            throw DomainError.linkInvalid
        }
        guard let record = try repositories.orders.order(id: link.id), record.order.email != nil else {
            throw DomainError.linkInvalid
        }
        return record
    }
}
