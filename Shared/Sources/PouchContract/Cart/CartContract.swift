import PouchEntities
import PouchWire

extension Contract {
    private static let lineProblems: [ProblemCode] = [.unknownSKU, .outOfStock, .cartFull]

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
        .checkout, status: 201, [.versioned, .keyRequired], problems: paymentProblems + [.cartEmpty])

    static let carts: [any AnyExchange] = [
        cart, clearCart, addCartLine, setCartLine, removeCartLine, setCartDiscount, removeCartDiscount,
        shippingMethods, setCartShipping, checkout,
    ]
}
