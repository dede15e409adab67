import Foundation
import PouchJSON

/// The lines that a guest or customer intends to buy. Each principal has one cart.
public struct Cart: JSONModel, Hashable, Identifiable {
    public let id: String
    /// The number of writes and applied changes; the cart's ETag.
    public let version: Int
    /// The lines in the order in which they were added.
    public let lines: [CartLine]
    public let discount: CartDiscount?
    public let shipping: Shipping?
    public let totals: Totals
    /// The changes that the shop has made since the owner's last write; reading the cart does not clear them.
    public let changes: [CartChange]
    public let updatedAt: Date

    public init(
        id: String, version: Int, lines: [CartLine], discount: CartDiscount? = nil, shipping: Shipping? = nil,
        totals: Totals, changes: [CartChange], updatedAt: Date
    ) {
        self.id = id
        self.version = version
        self.lines = lines
        self.discount = discount
        self.shipping = shipping
        self.totals = totals
        self.changes = changes
        self.updatedAt = updatedAt
    }

    /// The units of all lines. Saturates at `Int.max`, since a received cart may contain any numbers.
    public var unitCount: Int {
        lines.reduce(0) { sum, line in
            let (next, overflows) = sum.addingReportingOverflow(max(0, line.quantity))
            return overflows ? .max : next
        }
    }

    public static let json = JSONObject(
        Cart.init, .field("id", \.id), .field("version", \.version), .field("lines", \.lines),
        .field("discount", \.discount), .field("shipping", \.shipping), .field("totals", \.totals),
        .field("changes", \.changes), .field("updatedAt", \.updatedAt))
}

/// Units of one SKU in a cart, with its current price and stock.
public struct CartLine: JSONModel, Hashable {
    public let sku: String
    public let productHandle: String
    public let name: String
    public let image: ProductImage?
    public let options: [String: String]
    public var quantity: Int
    public let unitPrice: Money
    /// The line's total before any discount.
    public var lineTotal: Money
    /// This line's share of the cart's discount.
    public let discount: Money
    /// All units that can be bought now, including those in this line.
    public let available: Int

    public init(
        sku: String, productHandle: String, name: String, image: ProductImage?, options: [String: String],
        quantity: Int, unitPrice: Money, lineTotal: Money, discount: Money, available: Int
    ) {
        self.sku = sku
        self.productHandle = productHandle
        self.name = name
        self.image = image
        self.options = options
        self.quantity = quantity
        self.unitPrice = unitPrice
        self.lineTotal = lineTotal
        self.discount = discount
        self.available = available
    }

    public static let json = JSONObject(
        CartLine.init, .field("sku", \.sku), .field("productHandle", \.productHandle), .field("name", \.name),
        .field("image", \.image), .field("options", \.options), .field("quantity", \.quantity),
        .field("unitPrice", \.unitPrice), .field("lineTotal", \.lineTotal), .field("discount", \.discount),
        .field("available", \.available))
}

/// A discount code on a cart, with the amount that it saves.
public struct CartDiscount: JSONModel, Hashable {
    public let code: String
    public let amount: Money

    public init(code: String, amount: Money) {
        self.code = code
        self.amount = amount
    }

    public static let json = JSONObject(CartDiscount.init, .field("code", \.code), .field("amount", \.amount))
}

/// The amounts of a cart or an order.
///
/// If prices include tax, `total` is items minus discount plus shipping, and `tax` is the tax contained in it.
/// Otherwise `total` is items minus discount plus shipping plus tax.
public struct Totals: JSONModel, Hashable {
    /// The sum of the lines before any discount.
    public let items: Money
    /// The discount, which is not negative and is subtracted. Includes the amount that free shipping saves.
    public let discount: Money
    /// The full price, even if a discount makes it free.
    public let shipping: Money
    public let tax: Money
    public let total: Money

    public init(items: Money, discount: Money, shipping: Money, tax: Money, total: Money) {
        self.items = items
        self.discount = discount
        self.shipping = shipping
        self.tax = tax
        self.total = total
    }

    /// Whether the total already includes the tax. false for sums that overflow, since a server may send any numbers.
    public var includesTax: Bool {
        (try? items.subtracting(discount).adding(shipping)) == total
    }

    public static let json = JSONObject(
        Totals.init, .field("items", \.items), .field("discount", \.discount), .field("shipping", \.shipping),
        .field("tax", \.tax), .field("total", \.total))
}

/// A change to a line that its owner did not make.
public struct CartChange: JSONModel, Hashable {
    public enum Reason: String, OpenEnum {
        case priceChanged
        case quantityReduced
        case removed
        /// The line was merged with a line of the guest's cart.
        case merged
        case unrecognised
    }

    public let sku: String
    public let reason: Reason
    public let fromPrice: Money?
    public let toPrice: Money?
    public let fromQuantity: Int?
    public let toQuantity: Int?

    public static func priceChanged(sku: String, from: Money, to: Money) -> CartChange {
        CartChange(
            sku: sku, reason: .priceChanged, fromPrice: from, toPrice: to, fromQuantity: nil, toQuantity: nil)
    }

    public static func quantity(sku: String, _ reason: Reason, from: Int, to: Int) -> CartChange {
        CartChange(sku: sku, reason: reason, fromPrice: nil, toPrice: nil, fromQuantity: from, toQuantity: to)
    }

    public static let json = JSONObject(
        CartChange.init, .field("sku", \.sku), .field("reason", \.reason), .field("fromPrice", \.fromPrice),
        .field("toPrice", \.toPrice), .field("fromQuantity", \.fromQuantity), .field("toQuantity", \.toQuantity))
}

/// The short response to a cart write with `Prefer: return=minimal`.
public struct CartSummary: JSONModel, Hashable {
    public let id: String
    public let version: Int
    /// The changed line; nil if it was removed.
    public let line: CartLine?
    public let totals: Totals

    public init(id: String, version: Int, line: CartLine?, totals: Totals) {
        self.id = id
        self.version = version
        self.line = line
        self.totals = totals
    }

    public static let json = JSONObject(
        CartSummary.init, .field("id", \.id), .field("version", \.version), .field("line", \.line),
        .field("totals", \.totals))
}
