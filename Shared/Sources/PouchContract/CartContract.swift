import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    private static let lineProblems: [ProblemCode] = [.unknownSKU, .notForSale, .outOfStock, .cartFull]

    public static let cart = Exchange<NoInput, Cart>(
        "cart", .get, "/v1/cart", .guestOrCustomer, .versioned,
        about: "Returns the cart with current prices and stock, and what has changed since the last write.")
    public static let clearCart = Exchange<NoInput, Cart>(
        "clearCart", .delete, "/v1/cart", .guestOrCustomer, minimal: CartSummary.self, .versioned,
        about: "Removes all lines, the discount and the shipping method.")
    public static let addCartLine = Exchange<LineRequest, Cart>(
        "addCartLine", .post, "/v1/cart/lines", .guestOrCustomer, minimal: CartSummary.self, .versioned,
        problems: lineProblems,
        about: "Adds units to the line of the SKU, and creates the line if necessary.")
    public static let setCartLine = Exchange<QuantityRequest, Cart>(
        "setCartLine", .put, "/v1/cart/lines/{sku}", .guestOrCustomer, minimal: CartSummary.self, .versioned,
        problems: lineProblems,
        about: "Sets the quantity of a line; 0 removes it.")
    public static let removeCartLine = Exchange<NoInput, Cart>(
        "removeCartLine", .delete, "/v1/cart/lines/{sku}", .guestOrCustomer, minimal: CartSummary.self, .versioned,
        about: "Removes a line.")
    public static let setCartDiscount = Exchange<DiscountRequest, Cart>(
        "setCartDiscount", .put, "/v1/cart/discount", .guestOrCustomer, minimal: CartSummary.self, .versioned,
        problems: discountProblems,
        about: "Applies a discount code, replacing any previous one.")
    public static let removeCartDiscount = Exchange<NoInput, Cart>(
        "removeCartDiscount", .delete, "/v1/cart/discount", .guestOrCustomer, minimal: CartSummary.self, .versioned,
        about: "Removes the discount code.")
    public static let shippingMethods = Exchange<ShippingMethodsQuery, Page<ShippingMethod>>(
        "shippingMethods", .get, "/v1/cart/shipping-methods", .guestOrCustomer,
        about: "Lists the shipping methods for the cart and a destination, by default the shop's own country.")
    public static let setCartShipping = Exchange<ShippingRequest, Cart>(
        "setCartShipping", .put, "/v1/cart/shipping", .guestOrCustomer, minimal: CartSummary.self, .versioned,
        problems: shippingProblems,
        about: "Sets the shipping method and the address.")
    public static let checkout = Exchange<CheckoutRequest, Order>(
        "checkout", .post, "/v1/cart/checkout", .guestOrCustomer, status: 201, [.versioned, .keyRequired],
        problems: paymentProblems + [.cartEmpty, .emailUnverified],
        about: "Orders the contents of the cart and charges the total. If it differs from the expected total, "
            + "nothing is charged.")

    static let cartExchanges: [any AnyExchange] = [
        cart, clearCart, addCartLine, setCartLine, removeCartLine, setCartDiscount, removeCartDiscount,
        shippingMethods, setCartShipping, checkout,
    ]
}

/// The body of `addCartLine`, and a line of `previewOrder` and `buyNow`.
public struct LineRequest: JSONModel, Equatable, FieldsDescribed {
    public let sku: String
    /// The quantity, within `ModelLimits.quantity`.
    public let quantity: Int

    public static let fieldFacts: [String: FieldFact] = ["quantity": .range(ModelLimits.quantity)]

    public init(sku: String, quantity: Int) {
        self.sku = sku
        self.quantity = quantity
    }

    public static let json = JSONObject(LineRequest.init, .field("sku", \.sku), .field("quantity", \.quantity))
}

/// The body of `setCartLine`; 0 removes the line.
public struct QuantityRequest: JSONModel, Equatable, FieldsDescribed {
    public let quantity: Int

    public static let fieldFacts: [String: FieldFact] = ["quantity": .range(0...ModelLimits.quantity.upperBound)]

    public init(quantity: Int) {
        self.quantity = quantity
    }

    public static let json = JSONObject(QuantityRequest.init, .field("quantity", \.quantity))
}

/// The body of `setCartDiscount`.
public struct DiscountRequest: JSONModel, Equatable {
    public let code: String

    public init(code: String) {
        self.code = code
    }

    public static let json = JSONObject(DiscountRequest.init, .field("code", \.code))
}

/// The body of `setCartShipping`.
public struct ShippingRequest: JSONModel, Equatable {
    public let methodId: String
    public let address: AddressInput

    public init(methodId: String, address: AddressInput) {
        self.methodId = methodId
        self.address = address
    }

    public static let json = JSONObject(
        ShippingRequest.init, .field("methodId", \.methodId), .field("address", \.address))
}

/// The body of `checkout`.
public struct CheckoutRequest: JSONModel, Equatable, FieldsDescribed {
    public let paymentMethod: PaymentMethod
    /// The total that the buyer saw. If the total differs, the problem is `price_changed` and nothing is charged.
    public let expectedTotal: Money
    /// The buyer's address. Required from guests; for customers it defaults to the account's e-mail address.
    public let email: String?

    public static let fieldFacts: [String: FieldFact] = ["email": .email]

    public init(paymentMethod: PaymentMethod, expectedTotal: Money, email: String? = nil) {
        self.paymentMethod = paymentMethod
        self.expectedTotal = expectedTotal
        self.email = email
    }

    public static let json = JSONObject(
        CheckoutRequest.init, .field("paymentMethod", \.paymentMethod), .field("expectedTotal", \.expectedTotal),
        .field("email", \.email))
}

/// The query of `shippingMethods`: the destination, by default the shop's own country.
public struct ShippingMethodsQuery: PagedQuery {
    public var country: String?
    public var postalCode: String?
    public var location: GeoPoint?
    public var page = PageQuery()

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.text("country", &country)
        try coder.text("postalCode", &postalCode)
        try coder.point(&location)
        try page.code(&coder)
    }
}

// MARK: - Facts of answers

extension Cart: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["version": .atLeast(0)]
}

extension CartSummary: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["version": .atLeast(0)]
}

extension CartLine: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["quantity": .range(ModelLimits.quantity)]
}

extension Money: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["currency": .pattern("^[A-Z]{3}$")]
}
