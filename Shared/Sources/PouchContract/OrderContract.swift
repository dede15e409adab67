import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    static let discountProblems: [ProblemCode] = [
        .discountInvalid, .discountExpired, .discountExhausted, .tooManyAttempts,
    ]
    static let shippingProblems: [ProblemCode] = [.unknownShippingMethod, .locationRequired]
    static let paymentProblems: [ProblemCode] =
        discountProblems + shippingProblems + [
            .notForSale, .outOfStock, .priceChanged, .shippingRequired, .emailRequired, .paymentDeclined,
            .paymentProviderError,
        ]

    public static let previewOrder = Exchange<PreviewRequest, OrderPreview>(
        "previewOrder", .post, "/v1/orders/preview", .guestOrCustomer, .readsOnly,
        problems: discountProblems + shippingProblems + [.unknownSKU, .notForSale],
        about: "Returns the lines, shipping methods and totals of an order without a cart. Nothing is reserved.")
    public static let buyNow = Exchange<BuyNowRequest, Order>(
        "buyNow", .post, "/v1/orders", .guestOrCustomer, status: 201, [.firstVersion, .keyRequired],
        problems: paymentProblems + [.unknownSKU, .emailUnverified],
        about: "Orders and pays for lines immediately, without changing the cart.")
    public static let orders = Exchange<PageQuery, Page<Order>>(
        "orders", .get, "/v1/orders", .guestOrCustomer,
        about: "Lists the orders of the session's owner, latest first.")
    public static let order = Exchange<NoInput, Order>(
        "order", .get, "/v1/orders/{id}", .guestOrCustomer, .versioned,
        about: "Returns an order by ID.")
    public static let cancelOrder = Exchange<NoInput, Order>(
        "cancelOrder", .post, "/v1/orders/{id}/cancel", .guestOrCustomer, .versioned, problems: [.notCancellable],
        about: "Cancels an order before it is sent, refunds it in full and restocks its units.")
    public static let changeDelivery = Exchange<DeliveryRequest, Order>(
        "changeDelivery", .put, "/v1/orders/{id}/shipping", .guestOrCustomer, .versioned,
        problems: [.deliverySettled, .unknownShippingMethod],
        about: "Changes the shipping method of an order whose delivery failed, to one of the methods it offers.")
    /// Sends the whole order each time it changes. The id of an event is the version of the order, as in its ETag.
    public static let orderEvents = Exchange<NoInput, ServerSentEvents<Order>>(
        "orderEvents", .get, "/v1/orders/{id}/events", .guestOrCustomer, problems: [.invalidHeader],
        about: "Streams the order's current state, and its state after each change, as server-sent events.")

    public static let orderByLink = Exchange<OrderLinkRequest, Order>(
        "orderByLink", .post, "/v1/orders/lookup", .anyone, .readsOnly, problems: [.linkInvalid, .linkExpired],
        about: "Returns the order behind a link in an e-mail. The link gives read access only.")

    static let orderExchanges: [any AnyExchange] = [
        previewOrder, buyNow, orders, order, cancelOrder, changeDelivery, orderEvents, orderByLink,
    ]
}

/// The body of `previewOrder`.
public struct PreviewRequest: JSONModel, Equatable, FieldsDescribed {
    public let lines: [LineRequest]
    public let address: AddressInput?
    public let methodId: String?
    public let discount: String?

    public static let fieldFacts: [String: FieldFact] = ["lines": .count(1...ModelLimits.lines)]

    public init(lines: [LineRequest], address: AddressInput? = nil, methodId: String? = nil, discount: String? = nil) {
        self.lines = lines
        self.address = address
        self.methodId = methodId
        self.discount = discount
    }

    public static let json = JSONObject(
        PreviewRequest.init, .field("lines", \.lines), .field("address", \.address), .field("methodId", \.methodId),
        .field("discount", \.discount))
}

/// The body of `buyNow`.
public struct BuyNowRequest: JSONModel, Equatable, FieldsDescribed {
    public let lines: [LineRequest]
    public let address: AddressInput?
    public let methodId: String?
    public let discount: String?
    public let paymentMethod: PaymentMethod
    /// The total that the buyer saw. If the total differs, the problem is `price_changed` and nothing is charged.
    public let expectedTotal: Money
    /// The buyer's address. Required from guests; for customers it defaults to the account's e-mail address.
    public let email: String?

    public static let fieldFacts: [String: FieldFact] = ["lines": .count(1...ModelLimits.lines), "email": .email]

    public init(
        lines: [LineRequest], address: AddressInput?, methodId: String?, discount: String? = nil,
        paymentMethod: PaymentMethod, expectedTotal: Money, email: String? = nil
    ) {
        self.lines = lines
        self.address = address
        self.methodId = methodId
        self.discount = discount
        self.paymentMethod = paymentMethod
        self.expectedTotal = expectedTotal
        self.email = email
    }

    public static let json = JSONObject(
        BuyNowRequest.init, .field("lines", \.lines), .field("address", \.address), .field("methodId", \.methodId),
        .field("discount", \.discount), .field("paymentMethod", \.paymentMethod),
        .field("expectedTotal", \.expectedTotal), .field("email", \.email))
}

/// The body of `changeDelivery`.
public struct DeliveryRequest: JSONModel, Equatable {
    /// One of the methods of the order's `deliveryFailure`.
    public let methodId: String

    public init(methodId: String) {
        self.methodId = methodId
    }

    public static let json = JSONObject(DeliveryRequest.init, .field("methodId", \.methodId))
}

/// The body of `orderByLink`.
public struct OrderLinkRequest: JSONModel, Equatable, FieldsDescribed {
    /// The part after the `#` of the link in an e-mail.
    public let token: String

    public static let fieldFacts: [String: FieldFact] = ["token": .length(ModelLimits.linkTokenLength)]

    public init(token: String) {
        self.token = token
    }

    public static let json = JSONObject(OrderLinkRequest.init, .field("token", \.token))
}
