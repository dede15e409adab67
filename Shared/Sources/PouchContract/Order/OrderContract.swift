import PouchEntities
import PouchWire

extension Contract {
    public static let previewOrder = Exchange<PreviewRequest, OrderPreview>(.previewOrder)
    public static let buyNow = Exchange<BuyNowRequest, Order>(.buyNow, status: 201)
    public static let orders = Exchange<NoBody, Page<Order>>(.orders)
    public static let order = Exchange<NoBody, Order>(.order)
    public static let cancelOrder = Exchange<NoBody, Order>(.cancelOrder)

    static let ordering: [any AnyExchange] = [previewOrder, buyNow, orders, order, cancelOrder]
}
