import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    private static let lineProblems: [ProblemCode] = [.unknownSKU, .notForSale, .outOfStock, .cartFull]

    public static let cart = Exchange<NoBody, Cart>(.cart, .versioned)
    public static let clearCart = Exchange<NoBody, Cart>(.clearCart, minimal: CartSummary.self, .versioned)
    public static let addCartLine = Exchange<LineRequest, Cart>(
        .addCartLine, minimal: CartSummary.self, .versioned, problems: lineProblems)
    public static let setCartLine = Exchange<QuantityRequest, Cart>(
        .setCartLine, minimal: CartSummary.self, .versioned, problems: lineProblems)
    public static let removeCartLine = Exchange<NoBody, Cart>(.removeCartLine, minimal: CartSummary.self, .versioned)
    public static let setCartDiscount = Exchange<DiscountRequest, Cart>(
        .setCartDiscount, minimal: CartSummary.self, .versioned, problems: discountProblems)
    public static let removeCartDiscount = Exchange<NoBody, Cart>(
        .removeCartDiscount, minimal: CartSummary.self, .versioned)
    public static let shippingMethods = Exchange<NoBody, Page<ShippingMethod>>(
        .shippingMethods, query: ShippingMethodsQuery.self)
    public static let setCartShipping = Exchange<ShippingRequest, Cart>(
        .setCartShipping, minimal: CartSummary.self, .versioned, problems: shippingProblems)
    public static let checkout = Exchange<CheckoutRequest, Order>(
        .checkout, status: 201, [.versioned, .keyRequired], problems: paymentProblems + [.cartEmpty, .emailUnverified])

    static let carts: [any AnyExchange] = [
        cart, clearCart, addCartLine, setCartLine, removeCartLine, setCartDiscount, removeCartDiscount,
        shippingMethods, setCartShipping, checkout,
    ]
}

/// The body of `addCartLine`, and a line of `previewOrder` and `buyNow`.
public struct LineRequest: Sendable, Equatable, FieldsDescribed {
    public let sku: String
    /// `ModelLimits.quantity`
    public let quantity: Int

    public static let fieldFacts: [String: FieldFact] = ["quantity": .range(ModelLimits.quantity)]

    public init(sku: String, quantity: Int) {
        self.sku = sku
        self.quantity = quantity
    }
}

extension LineRequest: JSONModel {
    public static let json = JSONObject(LineRequest.init, .field("sku", \.sku), .field("quantity", \.quantity))
}

/// The body of `setCartLine`; 0 removes the line.
public struct QuantityRequest: Sendable, Equatable, FieldsDescribed {
    public let quantity: Int

    public static let fieldFacts: [String: FieldFact] = ["quantity": .range(0...ModelLimits.quantity.upperBound)]

    public init(quantity: Int) {
        self.quantity = quantity
    }
}

extension QuantityRequest: JSONModel {
    public static let json = JSONObject(QuantityRequest.init, .field("quantity", \.quantity))
}

/// The body of `setCartDiscount`.
public struct DiscountRequest: Sendable, Equatable {
    public let code: String

    public init(code: String) {
        self.code = code
    }
}

extension DiscountRequest: JSONModel {
    public static let json = JSONObject(DiscountRequest.init, .field("code", \.code))
}

/// The body of `setCartShipping`.
public struct ShippingRequest: Sendable, Equatable {
    public let methodId: String
    public let address: AddressInput

    public init(methodId: String, address: AddressInput) {
        self.methodId = methodId
        self.address = address
    }
}

extension ShippingRequest: JSONModel {
    public static let json = JSONObject(
        ShippingRequest.init, .field("methodId", \.methodId), .field("address", \.address))
}

/// The body of `checkout`.
public struct CheckoutRequest: Sendable, Equatable, FieldsDescribed {
    public let paymentMethod: PaymentMethod
    /// The total that the buyer saw. If the total differs, the problem is `price_changed` and nothing is charged.
    public let expectedTotal: Money
    /// Required from a guest; for a customer the account's e-mail address is the default.
    public let email: String?

    public static let fieldFacts: [String: FieldFact] = ["email": .email]

    public init(paymentMethod: PaymentMethod, expectedTotal: Money, email: String? = nil) {
        self.paymentMethod = paymentMethod
        self.expectedTotal = expectedTotal
        self.email = email
    }
}

extension CheckoutRequest: JSONModel {
    public static let json = JSONObject(
        CheckoutRequest.init, .field("paymentMethod", \.paymentMethod), .field("expectedTotal", \.expectedTotal),
        .field("email", \.email))
}

/// The query of `shippingMethods`: the destination, by default the shop's own country.
public struct ShippingMethodsQuery: QueryDecodable {
    public let country: String?
    public let postalCode: String?
    public let location: GeoPoint?
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        country = try reader.text("country")
        postalCode = try reader.text("postalCode")
        location = try reader.point()
        page = try PageQuery(from: &reader)
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
