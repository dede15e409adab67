import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP

/// Something that waits to be done.
struct DeskTask: Sendable {
    /// Seconds after which a mail that waits is a sign that none is sent.
    private static let patience: TimeInterval = 15 * 60
    /// Seconds for which a mail that was given up counts.
    private static let memory: TimeInterval = 7 * 24 * 3600

    let url: String
    let count: String
    let label: String
    let detail: String
    let isUrgent: Bool

    var values: PageValues {
        ["url": url, "count": count, "label": label, "detail": detail, "isUrgent": isUrgent]
    }

    /// The tasks of which the member may know.
    static func all(_ desk: Desk, in repositories: any ShopRepositories) throws -> [DeskTask] {
        var tasks: [DeskTask?] = []
        tasks.append(unsent(desk))
        if desk.may(.readCatalog) { tasks.append(try lowStock(in: repositories)) }
        if desk.may(.manageWebhooks) {
            tasks.append(try webhooks(in: repositories))
            tasks.append(try waitingMails(desk, in: repositories))
            tasks.append(try failedMails(desk, in: repositories))
        }
        return tasks.compactMap(\.self)
    }

    private static func unsent(_ desk: Desk) -> DeskTask? {
        guard let unsent = desk.unsent, let oldest = unsent.oldest else { return nil }
        return DeskTask(
            url: AdminPath.orders + "?unsent=true", count: unsent.count.text, label: "Orders to send",
            detail: "oldest from \(desk.day(oldest))", isUrgent: true)
    }

    private static func lowStock(in repositories: any ShopRepositories) throws -> DeskTask? {
        var soldOut = 0
        let count = try Desk.Count { limit in
            let levels = try repositories.figures.stockLevels(atMost: Availability.lowStock, after: nil, limit: limit)
            soldOut = levels.count { $0.available <= 0 }
            return levels.count
        }
        guard !count.isZero else { return nil }
        return DeskTask(
            url: AdminPath.stock + "?low=true", count: count.text, label: "Variants low in stock",
            detail: "\(count.isCapped ? "at least " : "")\(soldOut) of them sold out", isUrgent: false)
    }

    private static func webhooks(in repositories: any ShopRepositories) throws -> DeskTask? {
        let endpoints = try repositories.webhooks.webhooks(after: nil, limit: Desk.Count.limit)
        let count = try Desk.Count { try repositories.webhooks.failedDeliveries(limit: $0) }
        let paused = endpoints.count { $0.status == .paused }
        guard !count.isZero || paused > 0 else { return nil }
        return DeskTask(
            url: AdminPath.webhooks, count: count.text, label: "Webhook deliveries failed",
            detail: paused == 0 ? "to systems outside the shop" : "and sending is paused for \(paused)",
            isUrgent: paused > 0)
    }

    private static func waitingMails(_ desk: Desk, in repositories: any ShopRepositories) throws -> DeskTask? {
        let (count, oldest) = try repositories.mails.waiting()
        guard let oldest, desk.site.now.timeIntervalSince(oldest) > patience else { return nil }
        return DeskTask(
            url: AdminPath.mails, count: String(count), label: "E-mails waiting",
            detail: "oldest from \(desk.time(oldest))", isUrgent: true)
    }

    private static func failedMails(_ desk: Desk, in repositories: any ShopRepositories) throws -> DeskTask? {
        let since = desk.site.now.addingTimeInterval(-memory)
        let count = try Desk.Count { try repositories.mails.failed(since: since, limit: $0) }
        guard !count.isZero else { return nil }
        return DeskTask(
            url: AdminPath.mails, count: count.text, label: "E-mails not delivered", detail: "in the last 7 days",
            isUrgent: false)
    }
}
