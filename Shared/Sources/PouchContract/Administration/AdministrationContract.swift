import PouchEntities
import PouchWire

extension Contract {
    public static let updateVariant = Exchange<VariantPatch, ManagedVariant>(
        .updateVariant, problems: [.unknownSKU, .stockNegative])

    public static let discounts = Exchange<NoBody, Page<ManagedDiscount>>(.discounts)
    public static let addDiscount = Exchange<DiscountTerms, ManagedDiscount>(
        .addDiscount, status: 201, problems: [.codeTaken])
    public static let updateDiscount = Exchange<DiscountPatch, ManagedDiscount>(
        .updateDiscount, problems: [.codeTaken])
    public static let deleteDiscount = Exchange<NoBody, NoContent>(.deleteDiscount, status: 204)

    public static let scheduledPrices = Exchange<NoBody, Page<ScheduledPrice>>(
        .scheduledPrices, query: ScheduledPricesQuery.self)
    public static let schedulePrice = Exchange<ScheduledPriceRequest, ScheduledPrice>(
        .schedulePrice, status: 201, problems: [.unknownSKU])
    public static let deleteScheduledPrice = Exchange<NoBody, NoContent>(.deleteScheduledPrice, status: 204)

    public static let allOrders = Exchange<NoBody, Page<Order>>(.allOrders, query: AllOrdersQuery.self)
    public static let fulfilOrder = Exchange<NoBody, Order>(
        .fulfilOrder, .versioned, problems: [.notFulfillable])
    public static let deliverOrder = Exchange<NoBody, Order>(
        .deliverOrder, .versioned, problems: [.notDeliverable])
    public static let refundOrder = Exchange<RefundOrderRequest, Refund>(
        .refundOrder, status: 201, .keyRequired, problems: [.refundExceedsCapture])

    static let administration: [any AnyExchange] = [
        updateVariant,
        discounts, addDiscount, updateDiscount, deleteDiscount,
        scheduledPrices, schedulePrice, deleteScheduledPrice,
        allOrders, fulfilOrder, deliverOrder, refundOrder,
    ]
}
