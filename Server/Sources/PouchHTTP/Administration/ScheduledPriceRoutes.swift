import PouchContract
import PouchDomain
import PouchEntities

/// Prices that hold for a time.
struct ScheduledPriceRoutes {
    let services: ShopServices
    let pages: ListPager

    func register(with routes: RouteRegistrar) {
        let schedule = services.priceSchedule
        routes.read(Contract.scheduledPrices) { call, _, repositories in
            let query = try call.query(ScheduledPricesQuery.self)
            return Reply(
                try pages.page(list: "scheduled-prices", query.page, key: \.id) { after, limit in
                    try schedule.prices(sku: query.sku, after: after, limit: limit, in: repositories)
                })
        }
        routes.write(Contract.schedulePrice) { call, _, repositories in
            Reply(
                try schedule.add(
                    sku: call.body.sku, price: call.body.price, startsAt: call.body.startsAt,
                    endsAt: call.body.endsAt, in: repositories))
        }
        routes.delete(Contract.deleteScheduledPrice) { call, _, repositories in
            try schedule.delete(id: call.parameter("id"), in: repositories)
        }
    }
}
