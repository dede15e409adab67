import Foundation
import PouchDomain
import PouchEntities

/// Creates the sales values: figures for a day, a week and a month, and charts for the month.
struct SalesValues {
    /// The maximum percentage shown; a larger change is not informative.
    private static let maxPercent = 99_999.0

    let admin: AdminVisit
    let sales: RecentSales
    /// The labels of the days, such as “14 March”.
    private let labels: [String]

    init(admin: AdminVisit, sales: RecentSales) {
        self.admin = admin
        self.sales = sales
        labels = sales.periods.map { admin.dayOfYear($0.startsAt) }
    }

    var periodText: String {
        let days = RecentSales.days
        return "\(admin.day(sales.from)) to \(admin.day(sales.until)), compared with the \(days) days before. "
            + "Sales include shipping and tax"
    }

    // MARK: Figures

    var periods: [TodayValues.Period] {
        [("Today", sales.today), ("7 days", sales.week), ("\(RecentSales.days) days", sales.month)].map {
            label, figures -> TodayValues.Period in
            .init(
                label: label, orders: admin.visit.language.number(figures.orders), netText: admin.price(figures.net),
                averageText: average(figures).map(admin.price) ?? "–", refundsText: admin.price(figures.refunds))
        }
    }

    var figures: [TodayValues.Figure] {
        let (now, before) = (sales.month, sales.monthBefore)
        return [
            figure("Orders", admin.visit.language.number(now.orders), Int64(now.orders), Int64(before.orders)),
            figure("Sales after refunds", admin.price(now.net), now.net.amount, before.net.amount),
            figure(
                "Average order", average(now).map(admin.price) ?? "–", average(now)?.amount ?? 0,
                average(before)?.amount ?? 0),
            figure(
                "Refunds", admin.price(now.refunds), now.refunds.amount, before.refunds.amount, isMoreGood: false),
        ]
    }

    private func figure(
        _ label: String, _ value: String, _ now: Int64, _ before: Int64, isMoreGood: Bool = true
    ) -> TodayValues.Figure {
        guard before > 0 else { return .init(label: label, value: value, change: nil) }
        let share = ((Double(now) - Double(before)) / Double(before) * 100).rounded()
        let percent = Int(max(-Self.maxPercent, min(share, Self.maxPercent)))
        let sign = percent > 0 ? "+" : percent < 0 ? "−" : ""
        return .init(
            label: label, value: value,
            change: .init(
                text: "\(sign)\(abs(percent)) %", isGood: percent != 0 && (percent > 0) == isMoreGood,
                isBad: percent != 0 && (percent > 0) != isMoreGood))
    }

    /// The average charge per order; nil without orders.
    private func average(_ figures: SalesFigures) -> Money? {
        figures.orders > 0 ? try? figures.charged.share(1, of: Int64(figures.orders)) : nil
    }

    var bestSellers: [TodayValues.Seller] {
        sales.bestSellers.map { seller in
            .init(
                name: seller.name, sku: seller.sku, units: admin.visit.language.number(seller.units),
                revenueText: admin.price(seller.revenue))
        }
    }

    // MARK: Charts

    var revenueChart: ChartValues {
        let net = sales.month.net
        let chart = DayChart(
            id: "revenue", title: "Sales after refunds", total: admin.price(net), days: days { $0.net.amount },
            text: { admin.price(Money($0, net.currency)) })
        return chart.line
    }

    var ordersChart: ChartValues {
        let chart = DayChart(
            id: "orders", title: "Orders", total: admin.visit.language.number(sales.month.orders),
            days: days { Int64($0.orders) }, text: { admin.visit.language.number(Int($0)) })
        return chart.bars
    }

    private func days(_ value: (SalesFigures) -> Int64) -> [DayChart.Day] {
        zip(labels, sales.periods).map { .init(label: $0, value: value($1.figures)) }
    }
}

extension AdminVisit {
    /// A day, such as “14 March”.
    fileprivate func dayOfYear(_ date: Date) -> String {
        let style = Date.FormatStyle(locale: visit.language.locale, timeZone: visit.site.shop.timeZone)
        return date.formatted(style.day().month(.wide))
    }
}
