import PouchEntities
import PouchWire

extension Contract {
    static let discountProblems: [ProblemCode] = [.discountInvalid, .discountExpired, .discountExhausted]
    static let shippingProblems: [ProblemCode] = [.unknownShippingMethod, .locationRequired]
    static let paymentProblems: [ProblemCode] =
        discountProblems + shippingProblems + [
            .outOfStock, .priceChanged, .shippingRequired, .emailRequired, .paymentDeclined, .paymentProviderError,
        ]

    public static let previewOrder = Exchange<PreviewRequest, OrderPreview>(
        .previewOrder, problems: discountProblems + shippingProblems + [.unknownSKU])
    public static let buyNow = Exchange<BuyNowRequest, Order>(
        .buyNow, status: 201, [.firstVersion, .keyRequired], problems: paymentProblems + [.unknownSKU])
    public static let orders = Exchange<NoBody, Page<Order>>(.orders)
    public static let order = Exchange<NoBody, Order>(.order, .versioned)
    public static let cancelOrder = Exchange<NoBody, Order>(.cancelOrder, .versioned, problems: [.notCancellable])
    public static let changeDelivery = Exchange<DeliveryRequest, Order>(
        .changeDelivery, .versioned, problems: [.deliverySettled, .unknownShippingMethod])

    static let ordering: [any AnyExchange] = [previewOrder, buyNow, orders, order, cancelOrder, changeDelivery]
}
