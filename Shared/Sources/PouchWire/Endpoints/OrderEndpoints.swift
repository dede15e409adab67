extension Endpoint {
    public static let previewOrder = Endpoint("previewOrder", .post, "/v1/orders/preview", .guestOrCustomer)
    public static let buyNow = Endpoint("buyNow", .post, "/v1/orders", .guestOrCustomer)
    public static let orders = Endpoint("orders", .get, "/v1/orders", .guestOrCustomer)
    public static let order = Endpoint("order", .get, "/v1/orders/{id}", .guestOrCustomer)
    public static let cancelOrder = Endpoint("cancelOrder", .post, "/v1/orders/{id}/cancel", .guestOrCustomer)
    public static let changeDelivery = Endpoint("changeDelivery", .put, "/v1/orders/{id}/shipping", .guestOrCustomer)

    static let ordering = [previewOrder, buyNow, orders, order, cancelOrder, changeDelivery]
}
