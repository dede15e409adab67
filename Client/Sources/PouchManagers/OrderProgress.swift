import PouchData
import PouchEntities

/// A step of an order on its way to the buyer.
public struct DeliveryProgress: Sendable, Hashable {
    public enum Step: Sendable, Hashable {
        /// A kangaroo is going to pick up the order.
        case accepted(Ride)
        /// A kangaroo has picked up the order and is on the way. The ride is nil if it is not followed.
        case pickedUp(Ride?)
        case delivered
        /// No kangaroo was available. The buyer may choose another delivery method.
        case failed(DeliveryFailure)
    }

    public let order: Order
    public let step: Step

    public init(order: Order, step: Step) {
        self.order = order
        self.step = step
    }
}

extension OrderManager {
    /// An order whose payment is being settled: in its current state, and again at intervals until it is settled. After
    /// a failed call, the value is the order as last read, with the failure. The stream finishes with a settled order,
    /// or with a failure that another call would not change.
    ///
    ///     for await order in pouch.orders.follow(order.id) where order.value?.status == .paid { celebrate() }
    ///
    /// - Parameters:
    ///   - id: the id of the order.
    ///   - known: the order, if it has just been read: the first call is then made after an interval.
    ///   - interval: the time between calls.
    ///   - clock: measures the interval; nil for the manager's clock.
    public func follow(
        _ id: Order.ID, known: Order? = nil, every interval: Duration = .seconds(5), clock: (any Clock<Duration>)? = nil
    ) -> AsyncStream<Dated<Order?>> {
        let clock = clock ?? self.clock
        return .running { [self] states in
            var latest = known
            if known != nil { guard (try? await clock.sleep(for: interval)) != nil else { return } }
            repeat {
                do throws(DataError) {
                    let order = try await order(id: id)
                    latest = order
                    states.yield(Dated(order))
                    guard order.status == .pending else { return }
                } catch {
                    states.yield(Dated(latest, failure: error))
                    guard error.isTemporary else { return }
                }
            } while (try? await clock.sleep(for: interval)) != nil
        }
    }

    /// The progress of the session's kangaroo deliveries: those under way now, and each that is bought or changed
    /// later. Steps before the call are not repeated.
    ///
    ///     let progress = pouch.orders.watchDeliveries(
    ///         bought: pouch.checkout.purchases(), rides: pouch.rides, over: pouch.connection)
    ///     for await step in progress { show(step) }
    ///
    /// An order is watched by one stream at a time, so several streams report each step once. The streams belong to a
    /// session: create new ones for the next session.
    ///
    /// - Parameters:
    ///   - bought: the orders of new purchases.
    ///   - rides: follows the rides; nil for a guest, who cannot follow rides, so that the order is read at intervals.
    ///   - connection: reports when the shop can be reached again.
    ///   - includesEarlier: false for a session without earlier orders, which are then not requested.
    ///   - interval: the time between calls if no ride is followed.
    ///   - clock: measures the interval; nil for the manager's clock.
    public func watchDeliveries(
        bought: AsyncStream<Order>, rides: RideManager?, over connection: ConnectionManager,
        includesEarlier: Bool = true, every interval: Duration = .seconds(5), clock: (any Clock<Duration>)? = nil
    ) -> AsyncStream<DeliveryProgress> {
        let changed = changes()
        return .running { [self] progress in
            let watch = DeliveryWatch(
                orders: self, rides: rides, connection: connection, clock: clock ?? self.clock, interval: interval,
                progress: progress)
            await watch.run(bought: bought, changed: changed, includesEarlier: includesEarlier)
        }
    }
}

extension Order {
    /// Whether a kangaroo delivers the order, or will once its payment is settled.
    package var isUnderWay: Bool {
        switch status {
        case .pending: rideId != nil || shipping?.methodId == ShippingMethod.courierId
        case .cancelled, .refunded: false
        default: rideId != nil && deliveryFailure == nil && !has(been: .delivered)
        }
    }

    /// Whether the order has or had a status. A partial refund replaces the status that the order had.
    private func has(been status: OrderStatus) -> Bool {
        self.status == status || history.contains { $0.status == status }
    }

    /// - Parameter seesRide: whether the ride is followed, and reports its pick-up.
    func step(since earlier: Order, seesRide: Bool) -> DeliveryProgress.Step? {
        if has(been: .delivered), !earlier.has(been: .delivered) { return .delivered }
        if let failure = deliveryFailure, earlier.deliveryFailure == nil { return .failed(failure) }
        let isPickedUp = rideId != nil && has(been: .fulfilled) && !earlier.has(been: .fulfilled)
        return isPickedUp && !seesRide ? .pickedUp(nil) : nil
    }
}
