import Foundation

/// What somebody bought.
public struct Order: Codable, Sendable, Hashable, Identifiable {
    /// A status and when the order came into it.
    public struct Event: Codable, Sendable, Hashable {
        public let status: OrderStatus
        public let at: Date

        public init(status: OrderStatus, at: Date) {
            self.status = status
            self.at = at
        }
    }

    public let id: String
    /// For people, as in `P-10001`; in the order in which orders were placed.
    public let number: String
    public let status: OrderStatus
    public let lines: [OrderLine]
    public let totals: Totals
    public let payment: Payment
    public let shipping: Shipping?
    /// The ride that brings it; nil until it is paid, and for other ways of delivery.
    public let rideId: String?
    /// Not nil while another way of delivery has to be chosen.
    public let deliveryFailure: DeliveryFailure?
    /// nil once the account that ordered has been deleted.
    public let email: String?
    public let createdAt: Date
    /// The oldest first.
    public let history: [Event]

    public init(
        id: String,
        number: String,
        status: OrderStatus,
        lines: [OrderLine],
        totals: Totals,
        payment: Payment,
        shipping: Shipping?,
        rideId: String? = nil,
        deliveryFailure: DeliveryFailure? = nil,
        email: String?,
        createdAt: Date,
        history: [Event]
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
        self.email = email
        self.createdAt = createdAt
        self.history = history
    }
}
