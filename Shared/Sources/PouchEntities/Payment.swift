import Foundation
import PouchJSON

/// The charge for an order.
public struct Payment: JSONModel, Hashable, Identifiable {
    public enum Status: String, OpenEnum {
        case pending
        case captured
        case failed
        case partiallyRefunded
        case refunded
        case unrecognised
    }

    public let id: String
    public let status: Status
    public let amount: Money
    public let refunded: Money

    public init(id: String, status: Status, amount: Money, refunded: Money) {
        self.id = id
        self.status = status
        self.amount = amount
        self.refunded = refunded
    }

    public static let json = JSONObject(
        Payment.init, .field("id", \.id), .field("status", \.status), .field("amount", \.amount),
        .field("refunded", \.refunded))
}

/// The payment method of an order. The token represents a card at the payment provider; card numbers never reach the
/// shop.
public struct PaymentMethod: JSONModel, Hashable {
    public enum Kind: String, Codable, JSONCodable, CaseIterable {
        case card
    }

    public let type: Kind
    public let token: String

    public static func card(token: String) -> PaymentMethod {
        PaymentMethod(type: .card, token: token)
    }

    public static let json = JSONObject(PaymentMethod.init, .field("type", \.type), .field("token", \.token))
}

/// A refund of all or a part of a charge.
public struct Refund: JSONModel, Hashable, Identifiable {
    public enum Status: String, OpenEnum, CaseIterable {
        /// The payment provider has not confirmed it yet.
        case pending
        case succeeded
        case failed
        case unrecognised
    }

    /// The refunded units of an order line.
    public struct Line: JSONModel, Hashable {
        public let sku: String
        public let quantity: Int

        public init(sku: String, quantity: Int) {
            self.sku = sku
            self.quantity = quantity
        }

        public static let json = JSONObject(Refund.Line.init, .field("sku", \.sku), .field("quantity", \.quantity))
    }

    public let id: String
    public let amount: Money
    public let createdAt: Date
    public let status: Status
    /// The refunded lines; nil for the refund of an amount.
    public let lines: [Line]?
    public let reason: String?

    public init(
        id: String, amount: Money, createdAt: Date, status: Status = .succeeded, lines: [Line]? = nil,
        reason: String? = nil
    ) {
        self.id = id
        self.amount = amount
        self.createdAt = createdAt
        self.status = status
        self.lines = lines
        self.reason = reason
    }

    public static let json = JSONObject(
        Refund.init, .field("id", \.id), .field("amount", \.amount), .field("createdAt", \.createdAt),
        .field("status", \.status), .field("lines", \.lines), .field("reason", \.reason))
}
