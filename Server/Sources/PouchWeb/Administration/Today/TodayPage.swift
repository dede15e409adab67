import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates

struct ShortcutsValues: PageModel {}

struct TodayValues: PageModel {
    struct Period: TemplateValues {
        let label, orders, netText, averageText, refundsText: String
    }

    struct Figure: TemplateValues {
        let label, value: String
        /// The change since the previous period; nil if the previous value was zero.
        let change: Change?
    }

    struct Change: TemplateValues {
        let text: String
        let isGood, isBad: Bool
    }

    struct Seller: TemplateValues {
        let name, sku, units, revenueText: String
    }

    let dateText: String
    let tasks: [AdminTask]
    let isEmptyShop: Bool
    let orders: [AdminOrderRow]
    /// The period; nil for a member who may not see sales, whose lists below are also empty.
    let periodText: String?
    let periods: [Period]
    let figures: [Figure]
    let revenueChart, ordersChart: ChartValues?
    let bestSellers: [Seller]
}

/// The start page of the administration: tasks, sales and the latest orders.
struct TodayPage {
    /// The maximum number of listed orders.
    private static let latest = 6

    let admin: AdminVisit

    func content() async throws -> PageContent {
        let now = admin.site.now
        let (tasks, orders, sales, isEmpty) = try await admin.read { [admin] repositories in
            let tasks = try AdminTask.all(admin, in: repositories)
            let orders = try repositories.orders.orders(matching: OrderSearch(), after: nil, limit: Self.latest)
            let sales = admin.may(.readReports) ? try RecentSales(admin.site, until: now, in: repositories) : nil
            // Rarely reads the products: a shop with orders has had one.
            let isEmpty =
                try orders.isEmpty && admin.may(.writeCatalog)
                && repositories.products.products(ProductSelection(), after: nil, limit: 1, at: now).isEmpty
            return (tasks, orders.map(\.order), sales, isEmpty)
        }
        let report = sales.map { SalesValues(admin: admin, sales: $0) }
        let values = TodayValues(
            dateText: admin.weekday(now), tasks: tasks, isEmptyShop: isEmpty, orders: orders.map(admin.row),
            periodText: report?.periodText, periods: report?.periods ?? [], figures: report?.figures ?? [],
            revenueChart: report?.revenueChart, ordersChart: report?.ordersChart,
            bestSellers: report?.bestSellers ?? [])
        return PageContent(values, title: "Today")
    }
}

/// The sales of the last days, including today.
struct RecentSales: Sendable {
    static let days = 30
    /// The maximum number of best sellers.
    private static let best = 5

    let from: Date
    let until: Date
    /// The days, the oldest first. The last one is not over yet.
    let periods: [SalesPeriod]
    let month: SalesFigures
    /// The figures of the same number of days before the month.
    let monthBefore: SalesFigures
    let week: SalesFigures
    let today: SalesFigures
    /// The best sellers of the month, the most units first.
    let bestSellers: [BestSeller]

    init(_ site: Site, until now: Date, in repositories: any Repositories) throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = site.shop.timeZone
        let today = calendar.startOfDay(for: now)
        func start(_ days: Int) -> Date { calendar.date(byAdding: .day, value: -days, to: today) ?? today }
        let starts = (0..<Self.days).reversed().map { start($0) }
        let times = zip(starts, starts.dropFirst() + [now]).map { DateInterval(start: $0, end: $1) }
        let before = DateInterval(start: start(2 * Self.days - 1), end: starts[0])
        let figures = try repositories.figures.sales(in: [before] + times)
        let days = figures.dropFirst()
        let reporter = SalesReporter(site.environment)
        from = starts[0]
        until = now
        periods = zip(times, days).map { SalesPeriod(startsAt: $0.start, endsAt: $0.end, figures: $1) }
        month = try reporter.sum(of: days)
        monthBefore = figures[0]
        week = try reporter.sum(of: days.suffix(7))
        self.today = try reporter.sum(of: days.suffix(1))
        bestSellers = try repositories.figures.bestSellers(from: starts[0], until: now, by: .units, limit: Self.best)
    }
}

extension AdminVisit {
    /// A day, such as “Saturday, 14 March 2026”.
    fileprivate func weekday(_ date: Date) -> String {
        let (locale, zone) = (visit.language.locale, visit.site.shop.timeZone)
        return date.formatted(Date.FormatStyle(date: .complete, time: .omitted, locale: locale, timeZone: zone))
    }
}

/// A task to do.
struct AdminTask: TemplateValues {
    /// The seconds after which a waiting e-mail indicates that none are being sent.
    private static let gracePeriod: TimeInterval = 15 * 60

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
            url: AdminSection.orders.path + "?unsent=true", count: unsent.count.text, label: "Orders to send",
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
            url: AdminSection.stock.path + "?low=true", count: count.text, label: "Variants low in stock",
            detail: "\(count.isCapped ? "at least " : "")\(soldOut) of them sold out", isUrgent: false)
    }

    private static func webhooks(in repositories: any ShopRepositories) throws -> AdminTask? {
        let endpoints = try repositories.webhooks.webhooks(after: nil, limit: AdminVisit.Count.limit)
        let count = try AdminVisit.Count { try repositories.webhooks.failedDeliveries(limit: $0) }
        let paused = endpoints.count { $0.status == .paused }
        guard !count.isZero || paused > 0 else { return nil }
        return AdminTask(
            url: AdminSection.webhooks.path, count: count.text, label: "Webhook deliveries failed",
            detail: paused == 0 ? "to systems outside the shop" : "and sending is paused for \(paused)",
            isUrgent: paused > 0)
    }

    private static func waitingMails(_ admin: AdminVisit, in repositories: any ShopRepositories) throws -> AdminTask? {
        let (count, oldest) = try repositories.mails.waiting()
        guard let oldest, admin.site.now.timeIntervalSince(oldest) > gracePeriod else { return nil }
        return AdminTask(
            url: AdminSection.mails.path, count: String(count), label: "E-mails waiting",
            detail: "oldest from \(admin.time(oldest))", isUrgent: true)
    }

    private static func failedMails(_ admin: AdminVisit, in repositories: any ShopRepositories) throws -> AdminTask? {
        let since = admin.site.now.addingTimeInterval(-MailPages.listed)
        let count = try AdminVisit.Count { try repositories.mails.failed(since: since, limit: $0) }
        guard !count.isZero else { return nil }
        return AdminTask(
            url: AdminSection.mails.path, count: count.text, label: "E-mails not delivered",
            detail: "in the last 7 days", isUrgent: false)
    }
}
