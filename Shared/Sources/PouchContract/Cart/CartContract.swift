import PouchEntities
import PouchWire

extension Contract {
    public static let cart = Exchange<NoBody, Cart>(.cart)
    public static let clearCart = Exchange<NoBody, Cart>(.clearCart)
    public static let addCartLine = Exchange<LineRequest, Cart>(.addCartLine)
    public static let setCartLine = Exchange<QuantityRequest, Cart>(.setCartLine)
    public static let removeCartLine = Exchange<NoBody, Cart>(.removeCartLine)
    public static let setCartDiscount = Exchange<DiscountRequest, Cart>(.setCartDiscount)
    public static let removeCartDiscount = Exchange<NoBody, Cart>(.removeCartDiscount)
    public static let shippingMethods = Exchange<NoBody, Page<ShippingMethod>>(.shippingMethods)
    public static let setCartShipping = Exchange<ShippingRequest, Cart>(.setCartShipping)
    public static let checkout = Exchange<CheckoutRequest, Order>(.checkout, status: 201)

    static let carts: [any AnyExchange] = [
        cart, clearCart, addCartLine, setCartLine, removeCartLine, setCartDiscount, removeCartDiscount,
        shippingMethods, setCartShipping, checkout,
    ]
}
