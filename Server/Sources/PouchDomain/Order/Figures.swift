import Foundation
import PouchEntities

/// Sales and stock figures over all orders and the whole stock, computed by the database.
public protocol FigureRepository {
    /// The sums over orders placed and refunds decided in each period. A period does not include its end.
    func sales(in periods: [DateInterval]) throws -> [SalesFigures]
    /// The SKUs of the orders placed in a period, less the units refunded in it: the returned units, and all units of
    /// an order that was refunded in full. SKUs without remaining units are missing.
    func bestSellers(from: Date, until: Date, by rank: BestSellerRank, limit: Int) throws -> [BestSeller]
    /// The stock by SKU, after the given SKU. Omits variants that are no longer for sale.
    ///
    /// - Parameter most: only variants with at most this many available units; nil for all.
    func stockLevels(atMost most: Int?, after sku: String?, limit: Int) throws -> [StockLevel]
}

public enum BestSellerRank: Sendable {
    case units
    case revenue
}

/// Creates sales reports in the shop's time zone.
public struct SalesReporter: Sendable {
    private let environment: DomainEnvironment

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
    }

    /// - Parameters:
    ///   - from: nil for the start of the 30th day before `until`.
    ///   - until: nil for now.
    /// - Throws: `DomainError.invalid` for an empty or too long period, or too many periods; `MoneyError`.
    public func report(
        from: Date?, until: Date?, by step: SalesReport.Step, in repositories: any Repositories
    ) throws -> SalesReport {
        let calendar = calendar
        let (until, limit) = (until ?? environment.time.now, until == nil ? "now" : "until")
        let from =
            from ?? calendar.date(byAdding: .day, value: -30, to: calendar.startOfDay(for: until)) ?? until
        guard from < until else { throw DomainError.invalid("from", .outOfRange, "from must be before \(limit).") }
        let days = ModelLimits.reportDays
        guard until.timeIntervalSince(from) <= TimeInterval(days) * 24 * 3600 else {
            throw DomainError.invalid("from", .outOfRange, "from must be at most \(days) days before \(limit).")
        }
        let bounds = try bounds(from: from, until: until, by: step, calendar)
        let times = zip(bounds, bounds.dropFirst()).map { DateInterval(start: $0, end: $1) }
        let figures = try repositories.figures.sales(in: times)
        let periods = zip(times, figures).map { SalesPeriod(startsAt: $0.start, endsAt: $0.end, figures: $1) }
        func best(_ rank: BestSellerRank) throws -> [BestSeller] {
            try repositories.figures.bestSellers(from: from, until: until, by: rank, limit: 10)
        }
        return SalesReport(
            from: from, until: until, by: step, timeZone: environment.shop.timeZone.identifier, periods: periods,
            total: try sum(of: figures), bestByUnits: try best(.units), bestByRevenue: try best(.revenue))
    }

    /// The total of several periods that do not overlap.
    public func sum(of figures: some Sequence<SalesFigures>) throws(MoneyError) -> SalesFigures {
        let zero = Money.zero(environment.shop.currency)
        var total = SalesFigures(
            orders: 0, units: 0, gross: zero, discounts: zero, shipping: zero, tax: zero, charged: zero, refunds: zero,
            net: zero)
        for figures in figures { total = try total.adding(figures) }
        return total
    }

    /// Weeks start on Monday (ISO 8601).
    private var calendar: Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = environment.shop.timeZone
        return calendar
    }

    /// The starts of all periods, and the end of the last one.
    private func bounds(
        from: Date, until: Date, by step: SalesReport.Step, _ calendar: Calendar
    ) throws(DomainError) -> [Date] {
        let unit: Calendar.Component =
            switch step {
            case .day, .unrecognised: .day
            case .week: .weekOfYear
            case .month: .month
            }
        var bounds = [from]
        while let last = bounds.last, last < until {
            guard bounds.count <= ModelLimits.reportPeriods else {
                throw .invalid(
                    "by", .outOfRange,
                    "A report can have at most \(ModelLimits.reportPeriods) periods. Use fewer, longer periods.")
            }
            guard let end = calendar.dateInterval(of: unit, for: last)?.end, end > last else { break }
            bounds.append(min(end, until))
        }
        return bounds
    }
}

extension SalesFigures {
    fileprivate func adding(_ other: SalesFigures) throws(MoneyError) -> SalesFigures {
        SalesFigures(
            orders: orders + other.orders, units: units + other.units, gross: try gross.saturating(other.gross),
            discounts: try discounts.saturating(other.discounts), shipping: try shipping.saturating(other.shipping),
            tax: try tax.saturating(other.tax), charged: try charged.saturating(other.charged),
            refunds: try refunds.saturating(other.refunds), net: try net.saturating(other.net))
    }
}

extension Money {
    /// The sum, or the maximum amount if the sum exceeds it, so that a report with a huge sum still shows the others.
    fileprivate func saturating(_ other: Money) throws(MoneyError) -> Money {
        guard !amount.addingReportingOverflow(other.amount).overflow else {
            return Money(amount < 0 ? .min : .max, currency)
        }
        return try adding(other)
    }
}
