import Foundation
import PouchJSON

/// A purchase.
public struct Order: JSONModel, Hashable, Identifiable {
    /// A status and the time at which the order reached it.
    public struct Event: JSONModel, Hashable {
        public let status: OrderStatus
        public let at: Date

        public init(status: OrderStatus, at: Date) {
            self.status = status
            self.at = at
        }

        public static let json = JSONObject(Order.Event.init, .field("status", \.status), .field("at", \.at))
    }

    public let id: String
    /// The order number for people, such as `P-10001`; ascending in the order of purchase.
    public let number: String
    public var status: OrderStatus
    public var lines: [OrderLine]
    public let totals: Totals
    public var payment: Payment
    public var shipping: Shipping?
    /// The courier ride; nil until the order is paid, and for other delivery methods.
    public var rideId: String?
    /// Set while the buyer has to choose another delivery method.
    public var deliveryFailure: DeliveryFailure?
    /// The tracking data; nil until the shop has entered it.
    public var tracking: Tracking?
    /// nil once the order of a deleted account no longer names its buyer.
    public let email: String?
    public let createdAt: Date
    /// The statuses, oldest first.
    public var history: [Event]

    public init(
        id: String, number: String, status: OrderStatus, lines: [OrderLine], totals: Totals, payment: Payment,
        shipping: Shipping?, rideId: String? = nil, deliveryFailure: DeliveryFailure? = nil, tracking: Tracking? = nil,
        email: String?, createdAt: Date, history: [Event]
    ) {
        self.id = id
        self.number = number
        self.status = status
        self.lines = lines
        self.totals = totals
        self.payment = payment
        self.shipping = shipping
        self.rideId = rideId
        self.deliveryFailure = deliveryFailure
        self.tracking = tracking
        self.email = email
        self.createdAt = createdAt
        self.history = history
    }

    public static let json = JSONObject(
        Order.init, .field("id", \.id), .field("number", \.number), .field("status", \.status),
        .field("lines", \.lines), .field("totals", \.totals), .field("payment", \.payment),
        .field("shipping", \.shipping), .field("rideId", \.rideId), .field("deliveryFailure", \.deliveryFailure),
        .field("tracking", \.tracking), .field("email", \.email), .field("createdAt", \.createdAt),
        .field("history", \.history))
}

/// The state of an order.
public enum OrderStatus: String, OpenEnum {
    /// The stock is held and the payment is not settled yet.
    case pending
    case paid
    case fulfilled
    case delivered
    /// Cancelled before fulfilment: the charge is refunded and the stock is put back.
    case cancelled
    case refunded
    case partiallyRefunded
    case unrecognised
}

/// Units of one SKU as they were bought; later catalogue changes do not affect them.
public struct OrderLine: JSONModel, Hashable {
    public let sku: String
    public let name: String
    public let options: [String: String]
    public let quantity: Int
    public let unitPrice: Money
    public let lineTotal: Money
    public let discount: Money
    public let tax: Money
    public let refundedQuantity: Int

    public init(
        sku: String, name: String, options: [String: String], quantity: Int, unitPrice: Money, lineTotal: Money,
        discount: Money, tax: Money, refundedQuantity: Int
    ) {
        self.sku = sku
        self.name = name
        self.options = options
        self.quantity = quantity
        self.unitPrice = unitPrice
        self.lineTotal = lineTotal
        self.discount = discount
        self.tax = tax
        self.refundedQuantity = refundedQuantity
    }

    public static let json = JSONObject(
        OrderLine.init, .field("sku", \.sku), .field("name", \.name), .field("options", \.options),
        .field("quantity", \.quantity), .field("unitPrice", \.unitPrice), .field("lineTotal", \.lineTotal),
        .field("discount", \.discount), .field("tax", \.tax), .field("refundedQuantity", \.refundedQuantity))
}

/// The lines and totals that an order would have.
public struct OrderPreview: JSONModel, Hashable {
    public let lines: [CartLine]
    /// The delivery methods for the given address, or for the shop's own country.
    public let methods: [ShippingMethod]
    public let totals: Totals

    public init(lines: [CartLine], methods: [ShippingMethod], totals: Totals) {
        self.lines = lines
        self.methods = methods
        self.totals = totals
    }

    public static let json = JSONObject(
        OrderPreview.init, .field("lines", \.lines), .field("methods", \.methods), .field("totals", \.totals))
}
