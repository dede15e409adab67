import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

extension ShopRouter {
    /// Checkout, and the orders of a guest or customer.
    ///
    /// - Parameter declines: the maximum declined payments of a network in a quarter of an hour; 0 for no limit.
    static func addOrders(
        to routes: RouteRegistrar, _ services: ShopServices, _ guesses: DiscountGuesses, declines: Int
    ) {
        let (checkouts, store) = (services.checkout, services.store)
        @Sendable func terms<Body: PaysOrder>(_ call: Call<Body>) -> PaymentTerms {
            let (body, network) = (call.input, call.context.network)
            return PaymentTerms(
                method: body.paymentMethod, expectedTotal: body.expectedTotal, email: body.email,
                origin: network.isEmpty || declines == 0 ? nil : PaymentOrigin(network: network, declines: declines))
        }

        routes(Contract.checkout).perform { call -> Response in
            try await checkouts.checkout(
                call.principal, terms: terms(call), ifMatch: call.ifMatch, request: call.requiredKey
            ).response
        }
        routes(Contract.buyNow).perform(
            guesses.limited { call in
                try await checkouts.buyNow(
                    call.principal, purchase: call.input.purchase, terms: terms(call), request: call.requiredKey
                ).response
            })
        routes(Contract.previewOrder).read(
            guesses.limited { call, repositories -> OrderPreview in
                try checkouts.preview(call.input.purchase, for: call.principal, in: repositories)
            })
        routes(Contract.orders).list("orders", by: \.id) { call, page, repositories in
            try repositories.orders.orders(ownerId: call.principal.ownerId, after: page.after, limit: page.limit)
                .map(\.order)
        }
        routes(Contract.order).read { call, repositories in
            Reply(order: try repositories.orders.order(id: call.parameter("id"), of: call.principal))
        }
        routes(Contract.cancelOrder).perform { call -> Response in
            try await checkouts.cancel(
                orderId: call.parameter("id"), of: call.principal, ifMatch: call.ifMatch, request: call.key
            ).response
        }
        routes(Contract.changeDelivery).perform { call -> Response in
            let order = try await checkouts.changeDelivery(
                methodId: call.input.methodId, forOrder: call.parameter("id"), of: call.principal,
                ifMatch: call.ifMatch)
            return try Reply(order: order).stored(status: Contract.changeDelivery.status).response
        }
        routes(Contract.orderEvents).stream(OrderEventHandler(store: store, feed: services.orderFeed).events)

        // The token of the link in an e-mail is in the body, not in the path, so that no request log contains it.
        let links = OrderLinks(services.environment, keyRing: services.keyRing)
        routes(Contract.orderByLink).open { call in
            let token = call.input.token
            return try await store.read { try links.order(token: token, in: $0).order }
        }
    }
}

/// A body that pays an order.
private protocol PaysOrder {
    var paymentMethod: PaymentMethod { get }
    var expectedTotal: Money { get }
    var email: String? { get }
}

extension CheckoutRequest: PaysOrder {}

extension BuyNowRequest: PaysOrder {}

/// A body with the contents of an order, without a cart.
private protocol ListsPurchase: HasDiscountCode {
    var lines: [LineRequest] { get }
    var methodId: String? { get }
    var address: AddressInput? { get }
}

extension BuyNowRequest: ListsPurchase {}

extension PreviewRequest: ListsPurchase {}

extension ListsPurchase {
    fileprivate var purchase: DirectPurchase {
        DirectPurchase(
            lines: lines.map { ($0.sku, $0.quantity) }, methodId: methodId, address: address?.address(),
            discount: discount)
    }
}
