import PouchContract
import PouchDomain
import PouchEntities

/// Everybody's orders, and what becomes of them once they are paid.
struct OrderAdministrationRoutes {
    let services: ShopServices
    let pages: ListPager

    func register(with routes: RouteRegistrar) {
        let orders = services.orderAdministration
        routes.read(Contract.allOrders) { call, _, repositories in
            let query = try call.query(AllOrdersQuery.self)
            return Reply(
                try pages.page(list: "all-orders", query.page, key: \.id) { after, limit in
                    try orders.orders(status: query.status, after: after, limit: limit, in: repositories)
                })
        }
        routes.write(Contract.fulfilOrder) { call, _, repositories in
            Reply(order: try orders.fulfil(orderId: call.parameter("id"), ifMatch: call.ifMatch(), in: repositories))
        }
        routes.perform(Contract.refundOrder) { call, principal, key in
            try await services.refunds.refund(
                orderId: call.parameter("id"), call.body.scope(), reason: call.body.reason, by: principal,
                request: required(key)
            ).response
        }
        routes.write(Contract.deliverOrder) { call, _, repositories in
            Reply(order: try orders.deliver(orderId: call.parameter("id"), ifMatch: call.ifMatch(), in: repositories))
        }
    }
}

extension RefundOrderRequest {
    /// - Throws: `DomainError.invalid`.
    fileprivate func scope() throws(DomainError) -> RefundScope {
        switch (amount, lines) {
        case (nil, nil): .rest
        case (let amount?, nil): .amount(amount)
        case (nil, let lines?): .lines(lines.map { .init(sku: $0.sku, quantity: $0.quantity) })
        case (.some, .some):
            throw .invalid([InvalidField("lines", .invalid, "Name an amount or lines, not both.")])
        }
    }
}
