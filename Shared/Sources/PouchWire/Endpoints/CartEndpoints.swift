extension Endpoint {
    public static let cart = Endpoint("cart", .get, "/v1/cart", .guestOrCustomer)
    public static let clearCart = Endpoint("clearCart", .delete, "/v1/cart", .guestOrCustomer)
    public static let addCartLine = Endpoint("addCartLine", .post, "/v1/cart/lines", .guestOrCustomer)
    public static let setCartLine = Endpoint("setCartLine", .put, "/v1/cart/lines/{sku}", .guestOrCustomer)
    public static let removeCartLine = Endpoint("removeCartLine", .delete, "/v1/cart/lines/{sku}", .guestOrCustomer)
    public static let setCartDiscount = Endpoint("setCartDiscount", .put, "/v1/cart/discount", .guestOrCustomer)
    public static let removeCartDiscount = Endpoint(
        "removeCartDiscount", .delete, "/v1/cart/discount", .guestOrCustomer)
    public static let shippingMethods = Endpoint(
        "shippingMethods", .get, "/v1/cart/shipping-methods", .guestOrCustomer)
    public static let setCartShipping = Endpoint("setCartShipping", .put, "/v1/cart/shipping", .guestOrCustomer)
    public static let checkout = Endpoint("checkout", .post, "/v1/cart/checkout", .guestOrCustomer)

    static let carts = [
        cart, clearCart, addCartLine, setCartLine, removeCartLine, setCartDiscount, removeCartDiscount,
        shippingMethods, setCartShipping, checkout,
    ]
}
