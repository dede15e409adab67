import Foundation
import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    public static let allOrders = Exchange<NoBody, Page<Order>>(
        .allOrders, query: AllOrdersQuery.self, .readsPersons)
    public static let managedOrder = Exchange<NoBody, ManagedOrder>(.managedOrder, .versioned)
    public static let updateOrder = Exchange<OrderPatch, Order>(
        .updateOrder, .versioned, problems: [.notFulfillable])
    /// Refunds what is left of the charge, like `refundOrder`.
    public static let cancelManagedOrder = Exchange<NoBody, Order>(
        .cancelManagedOrder, [.versioned, .freshSignIn], problems: [.notCancellable])
    /// Clients of the first version send no body.
    public static let fulfilOrder = Exchange<FulfilRequest, Order>(
        .fulfilOrder, [.versioned, .bodyOptional], problems: [.notFulfillable])
    public static let deliverOrder = Exchange<NoBody, Order>(
        .deliverOrder, .versioned, problems: [.notDeliverable])
    public static let refundOrder = Exchange<RefundOrderRequest, Refund>(
        .refundOrder, status: 201, [.conditional, .keyRequired, .freshSignIn], problems: [.refundExceedsCapture])
    public static let addOrderNote = Exchange<OrderNoteRequest, OrderNote>(
        .addOrderNote, status: 201, problems: [.limitReached])
    /// Plain text in UTF-8, with lines of at most 78 characters.
    public static let packingSlip = Exchange<NoBody, RawBytes>(.packingSlip)

    static let orderDesk: [any AnyExchange] = [
        allOrders, managedOrder, updateOrder, cancelManagedOrder, fulfilOrder, deliverOrder, refundOrder, addOrderNote,
        packingSlip,
    ]
}

/// The query of `allOrders`. An order has to match all that is given.
public struct AllOrdersQuery: QueryDecodable {
    public let filter: OrderFilter
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        filter = try OrderFilter(from: &reader)
        page = try PageQuery(from: &reader)
    }
}

/// The orders that a list or an export is to have; by default all.
public struct OrderFilter: QueryDecodable, Hashable {
    public var status: OrderStatus?
    /// Only orders that still have to be sent: paid or partly refunded, never sent, and with units that were not
    /// refunded.
    public var isUnsent: Bool
    /// An order's number, with or without its `P-`, the whole e-mail address of the buyer, or whole words of the name
    /// that the order is sent to; upper and lower case are equal, and accents do not count.
    public var text: String?
    /// The order has a line with this SKU.
    public var sku: String?
    /// Placed at this time or later.
    public var from: Date?
    /// Placed before this time.
    public var until: Date?

    public init(
        status: OrderStatus? = nil, isUnsent: Bool = false, text: String? = nil, sku: String? = nil,
        from: Date? = nil, until: Date? = nil
    ) {
        self.status = status
        self.isUnsent = isUnsent
        self.text = text
        self.sku = sku
        self.from = from
        self.until = until
    }

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        status = try reader.word("status", OrderStatus.self)
        isUnsent = try reader.flag("unsent") ?? false
        text = try reader.text("q", length: ModelLimits.emailLength.upperBound)
        sku = try reader.text("sku", length: ModelLimits.textLength.upperBound)
        (from, until) = try reader.period("from", "until")
    }
}

/// The body of `updateOrder`.
public struct OrderPatch: Sendable, Equatable {
    public let tracking: FieldChange<Tracking>

    public init(tracking: FieldChange<Tracking> = .keep) {
        self.tracking = tracking
    }
}

extension OrderPatch: JSONModel {
    public static let json = JSONObject(OrderPatch.init, .field("tracking", \.tracking))
}

/// The body of `fulfilOrder`.
public struct FulfilRequest: Sendable, Equatable {
    /// nil keeps what was entered before.
    public let tracking: Tracking?

    public init(tracking: Tracking? = nil) {
        self.tracking = tracking
    }
}

extension FulfilRequest: JSONModel {
    public static let json = JSONObject(FulfilRequest.init, .field("tracking", \.tracking))
}

extension Tracking: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "carrier": .length(ModelLimits.trackingLength, example: "DHL"),
        "number": .length(ModelLimits.trackingLength, example: "00340434161094015902"),
        "url": .pattern("^https://.{1,1990}$", example: "https://example.com/parcels/00340434161094015902"),
    ]
}

/// The body of `addOrderNote`.
public struct OrderNoteRequest: Sendable, Equatable, FieldsDescribed {
    public let text: String

    public static let fieldFacts: [String: FieldFact] = ["text": .length(ModelLimits.noteLength)]

    public init(text: String) {
        self.text = text
    }
}

extension OrderNoteRequest: JSONModel {
    public static let json = JSONObject(OrderNoteRequest.init, .field("text", \.text))
}

/// The body of `refundOrder`: an amount, or units of lines, or neither for everything that is left.
public struct RefundOrderRequest: Sendable, Equatable, FieldsDescribed {
    public let amount: Money?
    /// Each is refunded with its share of discount and tax.
    public let lines: [LineRequest]?
    /// For the shop's records; not blank.
    public let reason: String

    public static let fieldFacts: [String: FieldFact] = ["reason": .length(ModelLimits.noteLength)]

    public init(amount: Money? = nil, lines: [LineRequest]? = nil, reason: String) {
        self.amount = amount
        self.lines = lines
        self.reason = reason
    }
}

extension RefundOrderRequest: JSONModel {
    public static let json = JSONObject(
        RefundOrderRequest.init, .field("amount", \.amount), .field("lines", \.lines), .field("reason", \.reason))
}
