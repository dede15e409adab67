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
        let now = desk.site.now
        let (tasks, orders, sales, isEmpty) = try await desk.read { [desk] repositories in
            let tasks = try DeskTask.all(desk, in: repositories)
            let orders = try repositories.orders.orders(matching: OrderSearch(), after: nil, limit: Self.latest)
            let sales = desk.may(.readReports) ? try DeskSales(desk.site, until: now, in: repositories) : nil
            let products = try repositories.products.products(ProductSelection(), after: nil, limit: 1, at: now)
            return (tasks, orders.map(\.order), sales, products.isEmpty)
        }
        var values: PageValues = [
            "dateText": desk.weekday(now), "hasTasks": !tasks.isEmpty, "tasks": tasks.map(\.values),
            "isEmptyShop": isEmpty && desk.may(.writeCatalog),
            "hasOrders": !orders.isEmpty, "orders": orders.map(desk.row),
        ]
        if let sales { values.merge(SalesValues(desk: desk, sales: sales).all) { $1 } }
        return PageContent("admin-today", title: "Today", values)
    }
}

/// The sales of the last days, of which today is one.
struct DeskSales: Sendable {
    static let days = 30

    let month: SalesReport
    /// Of the same number of days before the month.
    let monthBefore: SalesFigures
    let week: SalesFigures
    let today: SalesFigures

    init(_ site: Site, until now: Date, in repositories: any Repositories) throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = site.shop.timeZone
        let today = calendar.startOfDay(for: now)
        func start(_ days: Int) -> Date { calendar.date(byAdding: .day, value: -days, to: today) ?? today }
        let reporter = SalesReporter(site.environment)
        month = try reporter.report(from: start(Self.days - 1), until: now, by: .day, in: repositories)
        let before = DateInterval(start: start(2 * Self.days - 1), end: month.from)
        monthBefore = try reporter.sum(of: repositories.figures.sales(in: [before]))
        let days = month.periods.map(\.figures)
        week = try reporter.sum(of: days.suffix(7))
        self.today = try reporter.sum(of: days.suffix(1))
    }
}

extension Desk {
    /// Such as “Saturday, 14 March 2026”.
    fileprivate func weekday(_ date: Date) -> String {
        let (locale, zone) = (visit.language.locale, site.shop.timeZone)
        return date.formatted(Date.FormatStyle(date: .complete, time: .omitted, locale: locale, timeZone: zone))
    }
}
