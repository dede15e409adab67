import PouchContract
import PouchDomain
import PouchEntities

/// Places, options, quotes, and rides.
struct RideRoutes {
    let services: ShopServices
    let pages: ListPager

    func register(with routes: RouteRegistrar) {
        let (rides, alarm) = (services.rides, services.cityAlarm)
        routes.open(Contract.ridePlaces) { call in
            let query = try call.query(RidePlacesQuery.self)
            let found = services.places.places(matching: query.search, near: query.near)
            // The order depends on both, so a cursor is good for them alone.
            let point = query.near.map { "\($0.latitude),\($0.longitude)" }
            let list = ["ride-places", point ?? "", query.search ?? ""].joined(separator: " ")
            return try pages.page(of: found, list: list, query.page)
        }
        routes.open(Contract.rideOptions) { call in
            let query = try call.query(RideOptionsQuery.self)
            return try pages.page(of: rides.options(at: query.pickup), list: "ride-options", query.page)
        }
        routes.write(Contract.quoteRide, hasEffect: false) { call, principal, _ in
            Reply(Page(items: try rides.quotes(for: call.body.waypoints, by: principal)))
        }
        routes.write(Contract.requestRide, .readCommitted, afterwards: { await alarm.ring() }) {
            call, principal, repositories in
            Reply(
                try rides.request(
                    call.body.waypoints, optionId: call.body.rideOptionID, quoteId: call.body.quoteID, by: principal,
                    in: repositories))
        }
        routes.read(Contract.rides) { call, principal, repositories in
            Reply(
                try pages.page(list: "rides", call.query(PageQuery.self), key: \.id) { after, limit in
                    try rides.rides(of: principal, after: after, limit: limit, in: repositories)
                })
        }
        routes.read(Contract.ride) { call, principal, repositories in
            let ride = try rides.ride(id: call.parameter("id"), of: principal, in: repositories)
            return Reply(ride.ride(at: services.time.now))
        }
        routes.write(Contract.cancelRide, .readCommitted) { call, principal, repositories in
            Reply(try rides.cancel(id: call.parameter("id"), of: principal, in: repositories))
        }
        routes.read(Contract.rideReceipt) { call, principal, repositories in
            Reply(try rides.receipt(id: call.parameter("id"), of: principal, in: repositories))
        }
        RideEventRoute(services: services).register(with: routes)
    }
}
