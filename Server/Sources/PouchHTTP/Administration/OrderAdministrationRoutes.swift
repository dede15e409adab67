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
            var query = try call.query()
            let status = try query.word("status", OrderStatus.self)
            let page = try query.page()
            try query.finish()
            return Reply(
                try pages.page(list: "all-orders", page, key: \.id) { after, limit in
                    let found = try orders.orders(status: status, after: after, limit: limit, in: repositories)
                    return (found.orders, found.hasMore)
                })
        }
        routes.write(Contract.fulfilOrder) { call, _, repositories in
            Reply(order: try orders.fulfil(orderId: call.parameter("id"), ifMatch: call.ifMatch(), in: repositories))
        }
        routes.write(Contract.deliverOrder) { call, _, repositories in
            Reply(order: try orders.deliver(orderId: call.parameter("id"), ifMatch: call.ifMatch(), in: repositories))
        }
    }
}
