import PouchEntities
import PouchWire

extension Contract {
    public static let updateVariant = Exchange<VariantPatch, ManagedVariant>(.updateVariant)

    public static let discounts = Exchange<NoBody, Page<ManagedDiscount>>(.discounts)
    public static let addDiscount = Exchange<DiscountTerms, ManagedDiscount>(.addDiscount, status: 201)
    public static let updateDiscount = Exchange<DiscountPatch, ManagedDiscount>(.updateDiscount)
    public static let deleteDiscount = Exchange<NoBody, NoContent>(.deleteDiscount, status: 204)

    public static let scheduledPrices = Exchange<NoBody, Page<ScheduledPrice>>(.scheduledPrices)
    public static let schedulePrice = Exchange<ScheduledPriceRequest, ScheduledPrice>(.schedulePrice, status: 201)
    public static let deleteScheduledPrice = Exchange<NoBody, NoContent>(.deleteScheduledPrice, status: 204)

    public static let allOrders = Exchange<NoBody, Page<Order>>(.allOrders)
    public static let fulfilOrder = Exchange<NoBody, Order>(.fulfilOrder)
    public static let deliverOrder = Exchange<NoBody, Order>(.deliverOrder)
    public static let refundOrder = Exchange<RefundOrderRequest, Refund>(.refundOrder, status: 201)

    static let administration: [any AnyExchange] = [
        updateVariant,
        discounts, addDiscount, updateDiscount, deleteDiscount,
        scheduledPrices, schedulePrice, deleteScheduledPrice,
        allOrders, fulfilOrder, deliverOrder, refundOrder,
    ]
}
