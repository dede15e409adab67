import Foundation
import PouchJSON

/// The sales of a time range, by period and in total.
///
/// An order counts in the period in which it was placed, once it was paid. A refund counts in the period in which it
/// was decided, even if it is pending. A cancelled order is a refunded order.
///
/// The best sellers are the units of orders placed in the range, less the units refunded in it and the orders cancelled
/// or refunded in full in it. The refund of an amount changes neither units nor revenue.
public struct SalesReport: JSONModel, Hashable {
    /// The length of a period. Weeks start on Monday.
    public enum Step: String, OpenEnum {
        case day
        case week
        case month
        case unrecognised
    }

    public let from: Date
    public let until: Date
    public let by: Step
    /// The time zone in which periods begin and end, such as `Europe/Berlin`.
    public let timeZone: String
    /// The periods, oldest first, including those without sales. The first and the last may be cut off.
    public let periods: [SalesPeriod]
    public let total: SalesFigures
    /// At most ten SKUs, by units, highest first.
    public let bestByUnits: [BestSeller]
    /// At most ten SKUs, by revenue, highest first.
    public let bestByRevenue: [BestSeller]

    public init(
        from: Date, until: Date, by: Step, timeZone: String, periods: [SalesPeriod], total: SalesFigures,
        bestByUnits: [BestSeller], bestByRevenue: [BestSeller]
    ) {
        self.from = from
        self.until = until
        self.by = by
        self.timeZone = timeZone
        self.periods = periods
        self.total = total
        self.bestByUnits = bestByUnits
        self.bestByRevenue = bestByRevenue
    }

    public static let json = JSONObject(
        SalesReport.init, .field("from", \.from), .field("until", \.until), .field("by", \.by),
        .field("timeZone", \.timeZone), .field("periods", \.periods), .field("total", \.total),
        .field("bestByUnits", \.bestByUnits), .field("bestByRevenue", \.bestByRevenue))
}

/// A day, week or month with its sales figures.
public struct SalesPeriod: JSONModel, Hashable {
    public let startsAt: Date
    /// The end of the period, which is not part of it.
    public let endsAt: Date
    public let figures: SalesFigures

    public init(startsAt: Date, endsAt: Date, figures: SalesFigures) {
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.figures = figures
    }

    public static let json = JSONObject(
        SalesPeriod.init, .field("startsAt", \.startsAt), .field("endsAt", \.endsAt), .field("figures", \.figures))
}

/// Sums over paid orders and refunds.
public struct SalesFigures: JSONModel, Hashable {
    public let orders: Int
    /// All units of the orders, including refunded ones.
    public let units: Int
    /// The prices of all units, before discounts.
    public let gross: Money
    /// All discounts, including those on shipping.
    public let discounts: Money
    /// The prices of shipping, before discounts.
    public let shipping: Money
    /// The tax of the orders, less that of the refunds.
    public let tax: Money
    /// The amounts that were charged.
    public let charged: Money
    public let refunds: Money
    /// The charged amounts less the refunds, including shipping and tax.
    public let net: Money

    public init(
        orders: Int, units: Int, gross: Money, discounts: Money, shipping: Money, tax: Money, charged: Money,
        refunds: Money, net: Money
    ) {
        self.orders = orders
        self.units = units
        self.gross = gross
        self.discounts = discounts
        self.shipping = shipping
        self.tax = tax
        self.charged = charged
        self.refunds = refunds
        self.net = net
    }

    public static let json = JSONObject(
        SalesFigures.init, .field("orders", \.orders), .field("units", \.units), .field("gross", \.gross),
        .field("discounts", \.discounts), .field("shipping", \.shipping), .field("tax", \.tax),
        .field("charged", \.charged), .field("refunds", \.refunds), .field("net", \.net))
}

/// The sales of one SKU.
public struct BestSeller: JSONModel, Hashable {
    public let sku: String
    /// The name under which it was last sold.
    public let name: String
    /// The units sold and not returned.
    public let units: Int
    /// The prices of these units, less their shares of their lines' discounts.
    public let revenue: Money

    public init(sku: String, name: String, units: Int, revenue: Money) {
        self.sku = sku
        self.name = name
        self.units = units
        self.revenue = revenue
    }

    public static let json = JSONObject(
        BestSeller.init, .field("sku", \.sku), .field("name", \.name), .field("units", \.units),
        .field("revenue", \.revenue))
}

/// The stock of a variant with the name of its product.
public struct StockLevel: JSONModel, Hashable {
    public let sku: String
    public let productHandle: String
    public let name: String
    public let options: [String: String]
    public let onHand: Int
    /// The units that pending orders hold.
    public let held: Int
    /// The available units: `onHand` minus `held`.
    public let available: Int

    public init(
        sku: String, productHandle: String, name: String, options: [String: String], onHand: Int, held: Int,
        available: Int
    ) {
        self.sku = sku
        self.productHandle = productHandle
        self.name = name
        self.options = options
        self.onHand = onHand
        self.held = held
        self.available = available
    }

    public static let json = JSONObject(
        StockLevel.init, .field("sku", \.sku), .field("productHandle", \.productHandle), .field("name", \.name),
        .field("options", \.options), .field("onHand", \.onHand), .field("held", \.held),
        .field("available", \.available))
}
