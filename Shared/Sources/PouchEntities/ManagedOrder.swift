import Foundation
import PouchJSON

/// The tracking data of an order's parcel.
public struct Tracking: JSONModel, Hashable {
    /// The carrier's name, such as `DHL`; 1 to 100 characters.
    public let carrier: String
    /// The tracking number; 1 to 100 visible characters.
    public let number: String
    /// The carrier's page about the parcel, an https URL of at most 2,000 characters.
    public let url: String?

    public init(carrier: String, number: String, url: String? = nil) {
        self.carrier = carrier
        self.number = number
        self.url = url
    }

    public static let json = JSONObject(
        Tracking.init, .field("carrier", \.carrier), .field("number", \.number), .field("url", \.url))
}

/// A note by the staff about an order, which its buyer never sees.
public struct OrderNote: JSONModel, Hashable, Identifiable {
    public let id: String
    public let text: String
    /// The name of the staff member; nil after the account was deleted.
    public let author: String?
    public let createdAt: Date

    public init(id: String, text: String, author: String?, createdAt: Date) {
        self.id = id
        self.text = text
        self.author = author
        self.createdAt = createdAt
    }

    public static let json = JSONObject(
        OrderNote.init, .field("id", \.id), .field("text", \.text), .field("author", \.author),
        .field("createdAt", \.createdAt))
}

/// The part of an order's charge that can still be refunded. Pending refunds count as completed.
public struct Refundable: JSONModel, Hashable {
    public struct Line: JSONModel, Hashable {
        public let sku: String
        /// The number of units that were not refunded.
        public let quantity: Int
        /// The refund of all these units, at most the rest of the charge.
        public let amount: Money

        public init(sku: String, quantity: Int, amount: Money) {
            self.sku = sku
            self.quantity = quantity
            self.amount = amount
        }

        public static let json = JSONObject(
            Refundable.Line.init, .field("sku", \.sku), .field("quantity", \.quantity), .field("amount", \.amount))
    }

    /// The whole rest of the charge, including shipping; 0 before the charge.
    public let amount: Money
    /// The lines in the same sequence as in the order, without those that have no units left.
    public let lines: [Line]

    public init(amount: Money, lines: [Line]) {
        self.amount = amount
        self.lines = lines
    }

    public static let json = JSONObject(Refundable.init, .field("amount", \.amount), .field("lines", \.lines))
}

/// An order with everything that staff need to process it.
public struct ManagedOrder: JSONModel, Hashable, Identifiable {
    public let order: Order
    /// nil for a guest's order, and after the account was deleted.
    public let customer: Profile?
    /// The refunds, oldest first, including pending ones.
    public let refunds: [Refund]
    public let refundable: Refundable
    /// The time from which others can buy the units that the pending order holds; nil if it holds none.
    public let holdExpiresAt: Date?
    public let discountCode: String?
    /// The notes, oldest first.
    public let notes: [OrderNote]

    public var id: String { order.id }

    public init(
        order: Order, customer: Profile? = nil, refunds: [Refund], refundable: Refundable, holdExpiresAt: Date? = nil,
        discountCode: String? = nil, notes: [OrderNote]
    ) {
        self.order = order
        self.customer = customer
        self.refunds = refunds
        self.refundable = refundable
        self.holdExpiresAt = holdExpiresAt
        self.discountCode = discountCode
        self.notes = notes
    }

    public static let json = JSONObject(
        ManagedOrder.init, .field("order", \.order), .field("customer", \.customer), .field("refunds", \.refunds),
        .field("refundable", \.refundable), .field("holdExpiresAt", \.holdExpiresAt),
        .field("discountCode", \.discountCode), .field("notes", \.notes))
}
