import Foundation
import Hummingbird
import PouchDomain
import PouchEntities
import PouchHTTP

extension PageRoutes {
    func addAdminStart() {
        admin("/admin", .readOrders) { try await TodayPage(desk: $0).content() }
        admin("/admin/shortcuts", nil) { _ in PageContent("admin-shortcuts", title: "Keyboard shortcuts") }
    }
}

/// The start of the administration: what waits to be done, the sales, and the latest orders.
struct TodayPage {
    private static let (latest, best) = (6, 5)

    let desk: Desk

    func content() async throws -> PageContent {
        let reporter = SalesReporter(desk.site.environment)
        let (now, time) = (desk.site.now, DeskPeriods(desk.site))
        let (tasks, orders, sales) = try await desk.read { [desk] repositories in
            let tasks = try DeskTask.all(desk, in: repositories)
            let orders = try repositories.orders.orders(matching: OrderSearch(), after: nil, limit: Self.latest)
            let sales =
                desk.may(.readReports)
                ? try DeskSales(time, until: now, reporter: reporter, in: repositories) : nil
            return (tasks, orders.map(\.order), sales)
        }
        var values: PageValues = [
            "dateText": desk.weekday(now), "hasTasks": !tasks.isEmpty, "tasks": tasks.map(\.values),
            "hasOrders": !orders.isEmpty, "orders": orders.map(desk.row),
        ]
        if let sales { values.merge(SalesValues(desk: desk, sales: sales).all) { $1 } }
        return PageContent("admin-today", title: "Today", values)
    }
}

/// The starts of the periods for which the page shows sales. Each ends now.
struct DeskPeriods: Sendable {
    static let days = 30

    let today: Date
    let week: Date
    let month: Date
    /// The start of the same number of days before the month.
    let monthBefore: Date

    init(_ site: Site) {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = site.shop.timeZone
        let today = calendar.startOfDay(for: site.now)
        func start(_ days: Int) -> Date { calendar.date(byAdding: .day, value: -days, to: today) ?? today }
        self.today = today
        week = start(6)
        month = start(Self.days - 1)
        monthBefore = start(2 * Self.days - 1)
    }
}

/// The sales of these times.
struct DeskSales: Sendable {
    let month: SalesReport
    let monthBefore: SalesFigures
    let week: SalesFigures
    let today: SalesFigures

    init(
        _ time: DeskPeriods, until now: Date, reporter: SalesReporter, in repositories: any Repositories
    ) throws {
        month = try reporter.report(from: time.month, until: now, by: .day, in: repositories)
        monthBefore = try repositories.figures.sales(from: time.monthBefore, until: time.month)
        week = try repositories.figures.sales(from: time.week, until: now)
        today = try repositories.figures.sales(from: time.today, until: now)
    }
}

extension Desk {
    /// Such as “Saturday, 14 March 2026”.
    fileprivate func weekday(_ date: Date) -> String {
        let (locale, zone) = (visit.language.locale, site.shop.timeZone)
        return date.formatted(Date.FormatStyle(date: .complete, time: .omitted, locale: locale, timeZone: zone))
    }
}
