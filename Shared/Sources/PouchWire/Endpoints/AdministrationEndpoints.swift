extension Endpoint {
    public static let updateVariant = Endpoint("updateVariant", .patch, "/v1/admin/variants/{sku}", .admin)

    public static let discounts = Endpoint("discounts", .get, "/v1/admin/discounts", .admin)
    public static let addDiscount = Endpoint("addDiscount", .post, "/v1/admin/discounts", .admin)
    public static let updateDiscount = Endpoint("updateDiscount", .patch, "/v1/admin/discounts/{id}", .admin)
    public static let deleteDiscount = Endpoint("deleteDiscount", .delete, "/v1/admin/discounts/{id}", .admin)

    public static let scheduledPrices = Endpoint("scheduledPrices", .get, "/v1/admin/scheduled-prices", .admin)
    public static let schedulePrice = Endpoint("schedulePrice", .post, "/v1/admin/scheduled-prices", .admin)
    public static let deleteScheduledPrice = Endpoint(
        "deleteScheduledPrice", .delete, "/v1/admin/scheduled-prices/{id}", .admin)

    public static let allOrders = Endpoint("allOrders", .get, "/v1/admin/orders", .admin)
    public static let fulfilOrder = Endpoint("fulfilOrder", .post, "/v1/admin/orders/{id}/fulfil", .admin)
    public static let deliverOrder = Endpoint("deliverOrder", .post, "/v1/admin/orders/{id}/deliver", .admin)
    public static let refundOrder = Endpoint("refundOrder", .post, "/v1/admin/orders/{id}/refunds", .admin)

    static let administration = [
        updateVariant,
        discounts, addDiscount, updateDiscount, deleteDiscount,
        scheduledPrices, schedulePrice, deleteScheduledPrice,
        allOrders, fulfilOrder, deliverOrder, refundOrder,
    ]
}
