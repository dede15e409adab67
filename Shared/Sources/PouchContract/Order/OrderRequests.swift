import PouchEntities

/// The body of `previewOrder`.
public struct PreviewRequest: Codable, Sendable, Equatable {
    public let lines: [LineRequest]
    public let address: AddressInput?
    public let methodId: String?
    public let discount: String?

    public init(
        lines: [LineRequest], address: AddressInput? = nil, methodId: String? = nil, discount: String? = nil
    ) {
        self.lines = lines
        self.address = address
        self.methodId = methodId
        self.discount = discount
    }
}

/// The body of `buyNow`.
public struct BuyNowRequest: Codable, Sendable, Equatable {
    public let lines: [LineRequest]
    public let address: AddressInput?
    public let methodId: String?
    public let discount: String?
    public let paymentMethod: PaymentMethod
    /// What the buyer saw; another total is refused with `price_changed`, and nothing is charged.
    public let expectedTotal: Money
    /// Needed from a guest; a customer's own address is taken where it is absent.
    public let email: String?

    public init(
        lines: [LineRequest],
        address: AddressInput?,
        methodId: String?,
        discount: String? = nil,
        paymentMethod: PaymentMethod,
        expectedTotal: Money,
        email: String? = nil
    ) {
        self.lines = lines
        self.address = address
        self.methodId = methodId
        self.discount = discount
        self.paymentMethod = paymentMethod
        self.expectedTotal = expectedTotal
        self.email = email
    }
}

/// The body of `changeDelivery`.
public struct DeliveryRequest: Codable, Sendable, Equatable {
    /// One of those that the order offers.
    public let methodId: String

    public init(methodId: String) {
        self.methodId = methodId
    }
}
