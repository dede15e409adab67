import Foundation
import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    public static let allOrders = Exchange<AllOrdersQuery, Page<Order>>(
        "allOrders", .get, "/v1/admin/orders", .staff(.readOrders), .readsPersons,
        about: "Lists the orders of all customers that match every filter, latest first.")
    public static let managedOrder = Exchange<NoInput, ManagedOrder>(
        "managedOrder", .get, "/v1/admin/orders/{id}", .staff(.readOrders), .versioned,
        about: "Returns an order with its customer, refunds and notes, by ID or number.")
    public static let updateOrder = Exchange<OrderPatch, Order>(
        "updateOrder", .patch, "/v1/admin/orders/{id}", .staff(.writeOrders), .versioned, problems: [.notFulfillable],
        about: "Sets, corrects or removes the tracking number.")
    /// Refunds the rest of the charge, like `refundOrder`.
    public static let cancelManagedOrder = Exchange<NoInput, Order>(
        "cancelManagedOrder", .post, "/v1/admin/orders/{id}/cancel", .staff(.writeOrders), [.versioned, .freshSignIn],
        problems: [.notCancellable],
        about: "Cancels an order before it is sent, restocks its units and refunds the rest of the charge.")
    /// Clients of the first version send no body.
    public static let fulfilOrder = Exchange<FulfilRequest, Order>(
        "fulfilOrder", .post, "/v1/admin/orders/{id}/fulfil", .staff(.writeOrders), [.versioned, .bodyOptional],
        problems: [.notFulfillable],
        about: "Marks an order as sent, and e-mails the tracking number to the buyer.")
    public static let deliverOrder = Exchange<NoInput, Order>(
        "deliverOrder", .post, "/v1/admin/orders/{id}/deliver", .staff(.writeOrders), .versioned,
        problems: [.notDeliverable],
        about: "Marks an order as delivered.")
    public static let refundOrder = Exchange<RefundOrderRequest, Refund>(
        "refundOrder", .post, "/v1/admin/orders/{id}/refunds", .staff(.refundOrders), status: 201,
        [.conditional, .keyRequired, .freshSignIn], problems: [.refundExceedsCapture],
        about: "Refunds an amount, units of lines, or the rest of the charge.")
    public static let addOrderNote = Exchange<OrderNoteRequest, OrderNote>(
        "addOrderNote", .post, "/v1/admin/orders/{id}/notes", .staff(.writeOrders), status: 201,
        problems: [.limitReached],
        about: "Adds a note that only staff can see.")
    /// Plain text in UTF-8, with lines of at most 78 characters.
    public static let packingSlip = Exchange<NoInput, RawBytes>(
        "packingSlip", .get, "/v1/admin/orders/{id}/packing-slip", .staff(.readOrders),
        about: "Returns the packing slip as plain text.")

    static let managedOrderExchanges: [any AnyExchange] = [
        allOrders, managedOrder, updateOrder, cancelManagedOrder, fulfilOrder, deliverOrder, refundOrder, addOrderNote,
        packingSlip,
    ]
}

/// The query of `allOrders`. An order must match all parameters.
public struct AllOrdersQuery: PagedQuery {
    public var search = OrderSearch()
    public var page = PageQuery()

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try search.code(&coder)
        try page.code(&coder)
    }
}

extension OrderSearch: QueryType {
    public init() { self.init(status: nil) }

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.word("status", &status)
        try coder.flag("unsent", &isUnsent)
        try coder.text("q", &text, length: ModelLimits.emailLength.upperBound)
        try coder.text("sku", &sku, length: ModelLimits.textLength.upperBound)
        try coder.period("from", &from, "until", &until)
    }
}

/// The body of `updateOrder`.
public struct OrderPatch: JSONModel, Equatable {
    public let tracking: FieldChange<Tracking>

    public init(tracking: FieldChange<Tracking> = .keep) {
        self.tracking = tracking
    }

    public static let json = JSONObject(OrderPatch.init, .field("tracking", \.tracking))
}

/// The body of `fulfilOrder`.
public struct FulfilRequest: JSONModel, Equatable {
    /// The tracking data; nil keeps the previous data.
    public let tracking: Tracking?

    public init(tracking: Tracking? = nil) {
        self.tracking = tracking
    }

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
public struct OrderNoteRequest: JSONModel, Equatable, FieldsDescribed {
    public let text: String

    public static let fieldFacts: [String: FieldFact] = ["text": .length(ModelLimits.noteLength)]

    public init(text: String) {
        self.text = text
    }

    public static let json = JSONObject(OrderNoteRequest.init, .field("text", \.text))
}

/// The body of `refundOrder`: an amount, or units of lines, or neither for the whole rest.
public struct RefundOrderRequest: JSONModel, Equatable, FieldsDescribed {
    public let amount: Money?
    /// The units to refund, each with its share of discount and tax.
    public let lines: [LineRequest]?
    /// The reason, for the shop's records; not blank.
    public let reason: String

    public static let fieldFacts: [String: FieldFact] = ["reason": .length(ModelLimits.noteLength)]

    public init(amount: Money? = nil, lines: [LineRequest]? = nil, reason: String) {
        self.amount = amount
        self.lines = lines
        self.reason = reason
    }

    public static let json = JSONObject(
        RefundOrderRequest.init, .field("amount", \.amount), .field("lines", \.lines), .field("reason", \.reason))
}
