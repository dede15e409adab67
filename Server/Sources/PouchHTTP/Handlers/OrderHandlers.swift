import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities

/// Checkout, and the orders of a guest or customer.
struct OrderHandlers {
    private let checkouts: CheckoutService
    private let pages: ListPager
    private let declines: Int

    /// - Parameter declines: the maximum declined payments of a network in a quarter of an hour; 0 for no limit.
    init(services: ShopServices, pages: ListPager, declines: Int) {
        checkouts = services.checkout
        self.pages = pages
        self.declines = declines
    }

    private func terms(_ body: some PaysOrder, _ call: Call<some Sendable>) -> PaymentTerms {
        let network = call.context.network
        return PaymentTerms(
            method: body.paymentMethod, expectedTotal: body.expectedTotal, email: body.email,
            origin: network.isEmpty || declines == 0 ? nil : PaymentOrigin(network: network, declines: declines))
    }

    func checkout(_ call: Call<CheckoutRequest>) async throws -> Response {
        try await checkouts.checkout(
            call.principal, terms: terms(call.input, call), ifMatch: call.ifMatch, request: call.requiredKey
        ).response
    }

    func buyNow(_ call: Call<BuyNowRequest>) async throws -> Response {
        try await checkouts.buyNow(
            call.principal, purchase: call.input.purchase, terms: terms(call.input, call), request: call.requiredKey
        ).response
    }

    func preview(_ call: Call<PreviewRequest>, in repositories: any Repositories) throws -> Reply<OrderPreview> {
        Reply(try checkouts.preview(call.input.purchase, for: call.principal, in: repositories))
    }

    func cancel(_ call: Call<Void>) async throws -> Response {
        try await checkouts.cancel(
            orderId: call.parameter("id"), of: call.principal, ifMatch: call.ifMatch, request: call.key
        ).response
    }

    func changeDelivery(_ call: Call<DeliveryRequest>) async throws -> Response {
        let order = try await checkouts.changeDelivery(
            methodId: call.input.methodId, forOrder: call.parameter("id"), of: call.principal, ifMatch: call.ifMatch)
        return try Reply(order: order).stored(status: Contract.changeDelivery.status).response
    }

    func order(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<Order> {
        Reply(order: try repositories.orders.order(id: call.parameter("id"), of: call.principal))
    }

    func orders(_ call: Call<PageQuery>, in repositories: any Repositories) throws -> Reply<Page<Order>> {
        Reply(
            try pages.page(list: "orders", call.input, key: \.id) { after, limit in
                try repositories.orders.orders(ownerId: call.principal.ownerId, after: after, limit: limit).map(\.order)
            })
    }
}

/// The order behind a link in an e-mail, for any caller who has the link.
///
/// The token is in the body, not in the path, so that no request log contains it.
struct OrderLinkHandler {
    private let store: any ShopStore
    private let links: OrderLinks

    init(services: ShopServices) {
        store = services.store
        links = OrderLinks(services.environment, keyRing: services.keyRing)
    }

    func order(_ call: OpenCall<OrderLinkRequest>) async throws -> Order {
        let token = call.input.token
        return try await store.read { [links] in try links.order(token: token, in: $0).order }
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
private protocol ListsPurchase {
    var lines: [LineRequest] { get }
    var methodId: String? { get }
    var address: AddressInput? { get }
    var discount: String? { get }
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
