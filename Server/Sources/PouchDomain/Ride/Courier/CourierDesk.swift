import Foundation
import PouchEntities

/// Sends paid orders by kangaroo, and writes into them what becomes of the ride.
struct CourierDesk: Sendable {
    private let environment: DomainEnvironment

    init(_ environment: DomainEnvironment) {
        self.environment = environment
    }

    /// Asks for the ride of a paid order, and writes that into the order; does nothing for other ways of delivery.
    func send(_ record: inout OrderRecord, in repositories: any Repositories) throws {
        guard let shipping = record.order.shipping, shipping.methodId == ShopSettings.courierId else { return }
        let id = environment.ids.make(.ride)
        // The shop may have moved since the order was placed.
        let courier = environment.shop.courier
        if let trip = try shipping.address.location.flatMap({ try courier?.trip(to: $0, grams: record.grams) }) {
            record.order.change(shipping: shipping, rideId: id)
            // The next step of the city looks for a kangaroo: a checkout has no time for that.
            _ = try repositories.rides.insert(
                RideRecord(
                    id: id, passenger: .goods(orderId: record.order.id), species: trip.species,
                    waypoints: trip.waypoints, fare: shipping.price, distanceMetres: trip.metres,
                    at: environment.time.now))
        } else {
            record.order.change(deliveryFailure: try failure(of: record))
        }
        guard try repositories.orders.update(record) else { throw TransactionConflict() }
        record.version += 1
    }

    /// Writes into the order what the ride has come to: it is fulfilled when it is fetched, and delivered when it arrives;
    /// when nobody comes, another way has to be chosen.
    ///
    /// - Parameter count: so many statuses of the ride were known before.
    func follow(
        _ ride: RideRecord, of before: OrderRecord, since count: Int, in repositories: any Repositories
    ) throws {
        var record = before
        guard record.order.rideId == ride.id else { return }
        for event in ride.history.dropFirst(count) {
            switch event.status {
            case .inProgress: record.order.move(to: .fulfilled, at: event.at)
            case .completed: record.order.move(to: .delivered, at: event.at)
            default: break
            }
        }
        if ride.dueAt == nil, ride.status != .completed, OrderMachine.allows(record.order, to: .fulfilled) {
            record.order.change(deliveryFailure: try failure(of: record))
        }
        guard record.order != before.order else { return }
        guard try repositories.orders.update(record) else { throw TransactionConflict() }
    }

    /// Calls off the ride of an order that it is not going to bring.
    func callOff(_ record: OrderRecord, in repositories: any Repositories) throws {
        guard let id = record.order.rideId, var ride = try repositories.rides.ride(id: id, locking: true),
            ride.status.isCancellable
        else { return }
        try Dispatcher(city: environment.city, now: environment.time.now, repositories: repositories).cancel(&ride)
        guard try repositories.rides.update(ride) else { throw TransactionConflict() }
    }

    /// What else there is for the same address, the kangaroo too: it may have more luck later.
    private func failure(of record: OrderRecord) throws -> DeliveryFailure {
        let order = record.order
        // Without what a discount takes off the shipping.
        let goods = try order.lines.reduce(order.totals.items) { try $0.subtracting($1.discount) }
        let methods = try order.shipping.map { shipping in
            try environment.shop.methods(to: Destination(shipping.address), grams: record.grams, goods: goods)
        }
        return DeliveryFailure(reason: .noKangaroo, methods: methods ?? [])
    }
}

extension Order {
    /// Goes into the status unless it is past that, or its end.
    fileprivate mutating func move(to status: OrderStatus, at time: Date) {
        if OrderMachine.allows(self, to: status) { enter(status, at: time) }
    }
}
