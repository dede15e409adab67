import Foundation
import PouchJSON

/// A change in the shop, as reported by webhooks, `GET /v1/admin/events` and streams.
///
/// An event is stored in the transaction of its effect. Receivers get it at least once, always with the same id, and
/// get the events of one object in order.
public struct ShopEvent: JSONModel, Hashable, Identifiable {
    public let id: String
    public let type: EventType
    public let createdAt: Date
    /// The id of the order, product, account or other object that the event is about; the id of the order for payments
    /// and refunds, and the SKU for `stockLow`.
    public let objectId: String
    public let data: EventData

    public init(id: String, type: EventType, createdAt: Date, objectId: String, data: EventData) {
        self.id = id
        self.type = type
        self.createdAt = createdAt
        self.objectId = objectId
        self.data = data
    }

    public static let json = JSONObject(
        ShopEvent.init, .field("id", \.id), .field("type", \.type), .field("createdAt", \.createdAt),
        .field("objectId", \.objectId), .field("data", \.data))
}

/// The order of a list of events.
public enum EventOrder: String, Sendable, CaseIterable {
    /// The order in which they happened, for a program that processes them one after another.
    case oldestFirst
    case latestFirst
}

/// A page of the shop's events, in the order of the request. The id of the last event is the `after` of the next
/// request in that order; without events, `after` stays the same.
public struct EventPage: JSONModel, Equatable {
    public let items: [ShopEvent]
    /// Whether more events already follow in that order.
    public let hasMore: Bool

    public init(items: [ShopEvent], hasMore: Bool) {
        self.items = items
        self.hasMore = hasMore
    }

    public static let json = JSONObject(EventPage.init, .field("items", \.items), .field("hasMore", \.hasMore))
}

/// The types of events. Each names the object, then what happened to it.
public enum EventType: String, OpenEnum {
    /// An order was accepted while its payment is still open. An order whose payment ends immediately has no such
    /// event.
    case orderPlaced = "order.placed"
    case orderPaid = "order.paid"
    case orderFulfilled = "order.fulfilled"
    case orderDelivered = "order.delivered"
    case orderCancelled = "order.cancelled"
    /// The whole charge was refunded.
    case orderRefunded = "order.refunded"
    /// A part of the charge was refunded.
    case orderPartiallyRefunded = "order.partiallyRefunded"
    /// The delivery, its courier or its tracking number has changed.
    case orderDeliveryChanged = "order.deliveryChanged"
    /// A charge was declined or abandoned. If the buyer received that answer, the shop keeps no order, and this event
    /// has the only copy of it. Otherwise `orderCancelled` follows, and the order can be read.
    case paymentFailed = "payment.failed"
    /// The shop has decided on a refund; the provider has not confirmed it yet.
    case refundCreated = "refund.created"
    case refundSucceeded = "refund.succeeded"
    /// The available units of a variant have fallen to the shop's threshold.
    case stockLow = "stock.low"
    case productCreated = "product.created"
    case productUpdated = "product.updated"
    case productPublished = "product.published"
    case productWithdrawn = "product.withdrawn"
    case productArchived = "product.archived"
    case customerCreated = "customer.created"
    case customerUpdated = "customer.updated"
    case customerDeleted = "customer.deleted"
    case importEnded = "import.ended"
    case rideRequested = "ride.requested"
    case rideCompleted = "ride.completed"
    case rideCancelled = "ride.cancelled"
    /// The requests to a webhook kept failing, so the shop has stopped sending them.
    case webhookPaused = "webhook.paused"
    case unrecognised
}

/// The object of an event in its state immediately after the event, in the field named after its kind.
/// `refundSucceeded` has the refund and its order.
public struct EventData: JSONModel, Hashable {
    public let order: Order?
    public let refund: Refund?
    public let stock: Availability?
    public let customer: Profile?
    public let catalogImport: CatalogImport?
    public let ride: Ride?
    public let webhook: WebhookEndpoint?
    public let product: ManagedProduct?

    public init(
        order: Order? = nil, refund: Refund? = nil, stock: Availability? = nil, customer: Profile? = nil,
        catalogImport: CatalogImport? = nil, ride: Ride? = nil, webhook: WebhookEndpoint? = nil,
        product: ManagedProduct? = nil
    ) {
        self.order = order
        self.refund = refund
        self.stock = stock
        self.customer = customer
        self.catalogImport = catalogImport
        self.ride = ride
        self.webhook = webhook
        self.product = product
    }

    public static let json = JSONObject(
        EventData.init, .field("order", \.order), .field("refund", \.refund), .field("stock", \.stock),
        .field("customer", \.customer), .field("import", \.catalogImport), .field("ride", \.ride),
        .field("webhook", \.webhook), .field("product", \.product))
}
