import PouchJSON

/// The chosen delivery of a cart or an order: its method, address and price.
public struct Shipping: JSONModel, Hashable {
    public let methodId: String
    public let address: Address
    public let price: Money

    public init(methodId: String, address: Address, price: Money) {
        self.methodId = methodId
        self.address = address
        self.price = price
    }

    public static let json = JSONObject(
        Shipping.init, .field("methodId", \.methodId), .field("address", \.address), .field("price", \.price))
}

/// A delivery method that the shop offers for a destination.
public struct ShippingMethod: JSONModel, Hashable, Identifiable {
    /// The id of delivery by kangaroo, which no other method can have.
    public static let courierId = "kangaroo"

    public let id: String
    public let name: String
    public let price: Money
    /// The delivery time for display, such as "3 to 5 days".
    public let estimate: String

    public init(id: String, name: String, price: Money, estimate: String) {
        self.id = id
        self.name = name
        self.price = price
        self.estimate = estimate
    }

    public static let json = JSONObject(
        ShippingMethod.init, .field("id", \.id), .field("name", \.name), .field("price", \.price),
        .field("estimate", \.estimate))
}

/// The reason why an order cannot be delivered with the chosen method, and the alternatives.
public struct DeliveryFailure: JSONModel, Hashable {
    public enum Reason: String, OpenEnum {
        /// No kangaroo accepted the courier ride.
        case noKangaroo
        case unrecognised
    }

    public let reason: Reason
    /// The methods with their prices. The buyer is refunded the difference to a cheaper method and pays nothing more
    /// for a more expensive one.
    public let methods: [ShippingMethod]

    public init(reason: Reason, methods: [ShippingMethod]) {
        self.reason = reason
        self.methods = methods
    }

    public static let json = JSONObject(DeliveryFailure.init, .field("reason", \.reason), .field("methods", \.methods))
}
