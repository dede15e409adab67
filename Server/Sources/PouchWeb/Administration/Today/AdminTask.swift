import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates

/// A task to do.
struct AdminTask: TemplateValues {
    /// The seconds after which a waiting e-mail indicates that none are being sent.
    private static let gracePeriod: TimeInterval = 15 * 60
    /// The seconds for which a failed e-mail is counted.
    private static let memory: TimeInterval = 7 * 24 * 3600

    let url, count, label, detail: String
    let isUrgent: Bool

    /// The tasks that the member may see.
    static func all(_ admin: AdminVisit, in repositories: any ShopRepositories) throws -> [AdminTask] {
        var tasks: [AdminTask?] = []
        tasks.append(unsent(admin))
        if admin.may(.readCatalog) { tasks.append(try lowStock(in: repositories)) }
        if admin.may(.manageWebhooks) {
            tasks.append(try webhooks(in: repositories))
            tasks.append(try waitingMails(admin, in: repositories))
            tasks.append(try failedMails(admin, in: repositories))
        }
        return tasks.compactMap(\.self)
    }

    private static func unsent(_ admin: AdminVisit) -> AdminTask? {
        guard let unsent = admin.unsent, let oldest = unsent.oldest else { return nil }
        return AdminTask(
            url: AdminPath.orders + "?unsent=true", count: unsent.count.text, label: "Orders to send",
            detail: "oldest from \(admin.day(oldest))", isUrgent: true)
    }

    private static func lowStock(in repositories: any ShopRepositories) throws -> AdminTask? {
        var soldOut = 0
        let count = try AdminVisit.Count { limit in
            let levels = try repositories.figures.stockLevels(atMost: Availability.lowStock, after: nil, limit: limit)
            soldOut = levels.count { $0.available <= 0 }
            return levels.count
        }
        guard !count.isZero else { return nil }
        return AdminTask(
            url: AdminPath.stock + "?low=true", count: count.text, label: "Variants low in stock",
            detail: "\(count.isCapped ? "at least " : "")\(soldOut) of them sold out", isUrgent: false)
    }

    private static func webhooks(in repositories: any ShopRepositories) throws -> AdminTask? {
        let endpoints = try repositories.webhooks.webhooks(after: nil, limit: AdminVisit.Count.limit)
        let count = try AdminVisit.Count { try repositories.webhooks.failedDeliveries(limit: $0) }
        let paused = endpoints.count { $0.status == .paused }
        guard !count.isZero || paused > 0 else { return nil }
        return AdminTask(
            url: AdminPath.webhooks, count: count.text, label: "Webhook deliveries failed",
            detail: paused == 0 ? "to systems outside the shop" : "and sending is paused for \(paused)",
            isUrgent: paused > 0)
    }

    private static func waitingMails(_ admin: AdminVisit, in repositories: any ShopRepositories) throws -> AdminTask? {
        let (count, oldest) = try repositories.mails.waiting()
        guard let oldest, admin.site.now.timeIntervalSince(oldest) > gracePeriod else { return nil }
        return AdminTask(
            url: AdminPath.mails, count: String(count), label: "E-mails waiting",
            detail: "oldest from \(admin.time(oldest))", isUrgent: true)
    }

    private static func failedMails(_ admin: AdminVisit, in repositories: any ShopRepositories) throws -> AdminTask? {
        let since = admin.site.now.addingTimeInterval(-memory)
        let count = try AdminVisit.Count { try repositories.mails.failed(since: since, limit: $0) }
        guard !count.isZero else { return nil }
        return AdminTask(
            url: AdminPath.mails, count: count.text, label: "E-mails not delivered", detail: "in the last 7 days",
            isUrgent: false)
    }
}
