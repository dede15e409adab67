import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

/// Placing orders, and looking at those that were placed.
struct OrderRoutes {
    let services: ShopServices
    let pages: ListPager

    func register(with routes: RouteRegistrar) {
        let (checkout, orders) = (services.checkout, services.orders)
        routes.perform(Contract.checkout) { call, principal, key in
            try await checkout.checkout(
                principal, terms: call.body.terms, ifMatch: call.ifMatch(), request: required(key)
            ).response
        }
        routes.perform(Contract.buyNow) { call, principal, key in
            try await checkout.buyNow(
                principal, purchase: call.body.purchase, terms: call.body.terms, request: required(key)
            ).response
        }
        routes.perform(Contract.cancelOrder) { call, principal, key in
            try await checkout.cancel(
                orderId: call.parameter("id"), of: principal, ifMatch: call.ifMatch(), request: key
            ).response
        }
        routes.write(Contract.previewOrder, hasEffect: false) { call, principal, repositories in
            Reply(try services.preview.preview(call.body.purchase, for: principal, in: repositories))
        }
        routes.perform(Contract.changeDelivery) { call, principal, _ in
            let order = try await services.deliveryChange.choose(
                methodId: call.body.methodId, forOrder: call.parameter("id"), of: principal, ifMatch: call.ifMatch())
            return try Reply(order: order).stored(status: Contract.changeDelivery.status).response()
        }
        routes.read(Contract.order) { call, principal, repositories in
            Reply(order: try orders.order(id: call.parameter("id"), of: principal, in: repositories))
        }
        routes.read(Contract.orders) { call, principal, repositories in
            Reply(
                try pages.page(list: "orders", call.query(PageQuery.self), key: \.id) { after, limit in
                    try orders.orders(of: principal, after: after, limit: limit, in: repositories)
                })
        }
    }
}

/// - Throws: `RequestProblem` without a key.
func required(_ key: IdempotencyRecord.Request?) throws -> IdempotencyRecord.Request {
    guard let key else {
        throw RequestProblem(
            .idempotencyKeyRequired, "Send a key of your own choice, a new one for each thing that is to be done once.")
    }
    return key
}

extension IdempotentAnswer {
    var response: Response { answer.response(isReplay: isReplay) }
}

extension CheckoutRequest {
    fileprivate var terms: PaymentTerms {
        PaymentTerms(method: paymentMethod, expectedTotal: expectedTotal, email: email)
    }
}

extension BuyNowRequest {
    fileprivate var terms: PaymentTerms {
        PaymentTerms(method: paymentMethod, expectedTotal: expectedTotal, email: email)
    }

    fileprivate var purchase: DirectPurchase {
        DirectPurchase(
            lines: lines.map { ($0.sku, $0.quantity) }, methodId: methodId, address: address?.address(),
            discount: discount)
    }
}

extension PreviewRequest {
    fileprivate var purchase: DirectPurchase {
        DirectPurchase(
            lines: lines.map { ($0.sku, $0.quantity) }, methodId: methodId, address: address?.address(),
            discount: discount)
    }
}
