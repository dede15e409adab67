import PouchContract
import PouchDomain
import PouchEntities

/// The discount codes of the shop.
struct DiscountRoutes {
    let services: ShopServices
    let pages: ListPager

    func register(with routes: RouteRegistrar) {
        let discounts = services.discounts
        routes.read(Contract.discounts) { call, _, repositories in
            Reply(
                try pages.page(list: "discounts", call.query(PageQuery.self), key: \.id) { after, limit in
                    try discounts.discounts(after: after, limit: limit, in: repositories)
                })
        }
        routes.write(Contract.addDiscount) { call, _, repositories in
            Reply(try discounts.add(call.body, in: repositories))
        }
        routes.write(Contract.updateDiscount) { call, _, repositories in
            Reply(
                try discounts.update(id: call.parameter("id"), in: repositories) { call.body.applied(to: $0) })
        }
        routes.delete(Contract.deleteDiscount) { call, _, repositories in
            try discounts.delete(id: call.parameter("id"), in: repositories)
        }
    }
}
