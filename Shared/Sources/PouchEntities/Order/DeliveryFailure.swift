/// Why an order cannot be delivered in the way that was chosen, and what can be chosen instead.
public struct DeliveryFailure: Codable, Sendable, Hashable {
    public enum Reason: String, OpenEnum {
        /// Nobody came to fetch it for the courier ride.
        case noKangaroo
        case unrecognised
    }

    public let reason: Reason
    /// With what each costs; a lower price than the one that was paid is refunded, a higher one is not charged.
    public let methods: [ShippingMethod]

    public init(reason: Reason, methods: [ShippingMethod]) {
        self.reason = reason
        self.methods = methods
    }
}
