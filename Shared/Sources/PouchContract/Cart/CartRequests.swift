import PouchEntities

/// The body of `addCartLine`, and a line of `previewOrder` and `buyNow`.
public struct LineRequest: Codable, Sendable, Equatable {
    public let sku: String
    /// `ModelLimits.quantity`
    public let quantity: Int

    public init(sku: String, quantity: Int) {
        self.sku = sku
        self.quantity = quantity
    }
}

/// The body of `setCartLine`; 0 removes the line.
public struct QuantityRequest: Codable, Sendable, Equatable {
    public let quantity: Int

    public init(quantity: Int) {
        self.quantity = quantity
    }
}

/// The body of `setCartDiscount`.
public struct DiscountRequest: Codable, Sendable, Equatable {
    public let code: String

    public init(code: String) {
        self.code = code
    }
}

/// The body of `setCartShipping`.
public struct ShippingRequest: Codable, Sendable, Equatable {
    public let methodId: String
    public let address: AddressInput

    public init(methodId: String, address: AddressInput) {
        self.methodId = methodId
        self.address = address
    }
}

/// The body of `checkout`.
public struct CheckoutRequest: Codable, Sendable, Equatable {
    public let paymentMethod: PaymentMethod
    /// What the buyer saw; another total is refused with `price_changed`, and nothing is charged.
    public let expectedTotal: Money
    /// Needed from a guest; a customer's own address is taken where it is absent.
    public let email: String?

    public init(paymentMethod: PaymentMethod, expectedTotal: Money, email: String? = nil) {
        self.paymentMethod = paymentMethod
        self.expectedTotal = expectedTotal
        self.email = email
    }
}
