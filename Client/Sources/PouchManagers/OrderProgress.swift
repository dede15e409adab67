import PouchData
import PouchEntities
import Synchronization

/// A step of an order on its way to the buyer.
public struct DeliveryProgress: Sendable, Hashable {
    public enum Step: Sendable, Hashable {
        /// A kangaroo fetches the order.
        case accepted(Ride)
        /// A kangaroo has the order and is on the way. The ride is nil where it is not followed.
        case pickedUp(Ride?)
        case delivered
        /// No kangaroo came. The buyer may choose another delivery method.
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
    /// An order whose payment is being settled: as it is now, and again at intervals until it is settled. After a failed
    /// call the value is the order as it was read last, with the failure. The stream finishes with a settled order, or
    /// with a failure that another call would not change.
    ///
    ///     for await order in pouch.orders.follow(order.id) where order.value?.status == .paid { celebrate() }
    ///
    /// - Parameters:
    ///   - id: the id of the order.
    ///   - known: the order, if it was read just now: the first call is then made after an interval.
    ///   - interval: the time between two calls.
    ///   - clock: measures the interval; nil for the manager's own.
    public nonisolated func follow(
        _ id: Order.ID, known: Order? = nil, every interval: Duration = .seconds(5),
        clock: (any Clock<Duration>)? = nil
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

    /// The progress of the session's orders that kangaroos deliver: those under way now, and each that is bought or
    /// changed from now on. Steps before the call are not repeated.
    ///
    ///     let progress = pouch.orders.watchDeliveries(
    ///         bought: pouch.checkout.purchases(), rides: pouch.rides, over: pouch.connection)
    ///     for await step in progress { show(step) }
    ///
    /// An order is watched by one stream at a time, so several streams have each step once. The streams belong to a
    /// session: make new ones for the next.
    ///
    /// - Parameters:
    ///   - bought: the orders of new purchases.
    ///   - rides: follows the rides; nil for a guest, who cannot: the order is read at intervals.
    ///   - connection: tells when the shop can be reached again.
    ///   - includesEarlier: false for a session without earlier orders, which are then not asked for.
    ///   - interval: the time between two calls where no ride is followed.
    ///   - clock: measures the interval; nil for the manager's own.
    public nonisolated func watchDeliveries(
        bought: AsyncStream<Order>, rides: RideManager?, over connection: ConnectionManager,
        includesEarlier: Bool = true, every interval: Duration = .seconds(5),
        clock: (any Clock<Duration>)? = nil
    ) -> AsyncStream<DeliveryProgress> {
        let changed = changes()
        return .running { [self] progress in
            let watch = DeliveryWatch(
                orders: self, rides: rides, connection: connection, turns: turns, clock: clock ?? self.clock,
                interval: interval,
                progress: progress)
            await watch.run(bought: bought, changed: changed, includesEarlier: includesEarlier)
        }
    }
}

/// The work of one stream of deliveries.
private final class DeliveryWatch: Sendable {
    let orders: OrderManager
    let rides: RideManager?
    let connection: ConnectionManager
    let turns: Turns<WatchedDelivery>
    let clock: any Clock<Duration>
    let interval: Duration
    let progress: AsyncStream<DeliveryProgress>.Continuation
    private let watched = Mutex<Set<Order.ID>>([])

    init(
        orders: OrderManager, rides: RideManager?, connection: ConnectionManager, turns: Turns<WatchedDelivery>,
        clock: any Clock<Duration>, interval: Duration, progress: AsyncStream<DeliveryProgress>.Continuation
    ) {
        self.orders = orders
        self.rides = rides
        self.connection = connection
        self.turns = turns
        self.clock = clock
        self.interval = interval
        self.progress = progress
    }

    func run(bought: AsyncStream<Order>, changed: AsyncStream<Order>, includesEarlier: Bool) async {
        let (found, find) = AsyncStream.makeStream(of: Found.self)
        await withDiscardingTaskGroup { group in
            for new in [bought, changed] {
                group.addTask { for await order in new { find.yield(Found(order: order, isNew: true)) } }
            }
            if includesEarlier {
                group.addTask {
                    for order in await self.earlierOrders() { find.yield(Found(order: order, isNew: false)) }
                }
            }
            for await found in found {
                let id = found.order.id
                guard found.order.isUnderWay, watched.withLock({ $0.insert(id).inserted }) else { continue }
                group.addTask {
                    await self.turns.take(id) { await self.watch($0 ?? WatchedDelivery(found)) }
                    self.watched.withLock { _ = $0.remove(id) }
                }
            }
        }
    }

    /// The latest page, as soon as the shop gives it; none where it refuses.
    private func earlierOrders() async -> [Order] {
        // The first attempt is made even while offline: the request may find that the shop is back.
        var isFirst = true
        for await state in connection.connections() where state == .online || isFirst {
            isFirst = false
            repeat {
                do throws(DataError) {
                    return try await orders.orders().items
                } catch {
                    guard error.isTemporary else { return [] }
                }
                // Repeat at intervals while the shop is online; while it is offline, wait for its return.
                guard connection.connection == .online else { break }
            } while (try? await clock.sleep(for: interval)) != nil
        }
        return []
    }

    /// Watches a delivery to its end. If it is cancelled before, the next stream continues with what it returns.
    private func watch(_ delivery: WatchedDelivery) async -> WatchedDelivery {
        var known = delivery
        while known.order.isUnderWay {
            let isFollowed = await follow(known.order, &known.ride)
            if !isFollowed, (try? await clock.sleep(for: interval)) == nil { break }
            do throws(DataError) {
                let latest = try await orders.order(id: known.order.id)
                // The session may have ended: its orders are not the business of the next one.
                guard !Task.isCancelled else { break }
                // The earlier progress of the next ride is new, too.
                if latest.rideId != known.order.rideId { known.ride = RideProgress(statuses: 1) }
                if let step = latest.step(since: known.order, seesRide: rides != nil) { report(step, of: latest) }
                known.order = latest
            } catch {
                guard error.isTemporary else { break }
            }
        }
        return known
    }

    /// Returns whether the ride was followed to an end.
    private func follow(_ order: Order, _ known: inout RideProgress) async -> Bool {
        guard let rides, let id = order.rideId, !known.isOver else { return false }
        do {
            for try await ride in rides.follow(id) {
                guard !Task.isCancelled else { break }
                guard known.advance(to: ride) else { continue }
                switch ride.status {
                case .accepted: report(.accepted(ride), of: order)
                case .inProgress: report(.pickedUp(ride), of: order)
                default: break
                }
            }
            // A cancelled task ends the loop, not the ride.
            guard !Task.isCancelled else { return false }
            known.isOver = true
            return true
        } catch {
            return false
        }
    }

    private func report(_ step: DeliveryProgress.Step, of order: Order) {
        progress.yield(DeliveryProgress(order: order, step: step))
    }
}

/// An order whose delivery is watched, with the steps that were reported.
struct WatchedDelivery: Sendable {
    var order: Order
    fileprivate var ride: RideProgress

    fileprivate init(_ found: Found) {
        order = found.order
        ride = RideProgress(statuses: found.isNew ? 1 : nil)
    }
}

private struct Found: Sendable {
    let order: Order
    /// Whether its ride, if any, was requested just now.
    let isNew: Bool
}

/// The known progress of a ride.
private struct RideProgress {
    /// The length of its history; nil before the ride was seen.
    var statuses: Int?
    /// Whether no further events will arrive.
    var isOver = false

    /// Returns whether the ride has reached a new status.
    mutating func advance(to ride: Ride) -> Bool {
        defer { statuses = max(statuses ?? 0, ride.history.count) }
        return statuses.map { ride.history.count > $0 } ?? false
    }
}

extension Order {
    /// Whether a kangaroo delivers the order, or will when its payment is settled.
    package var isUnderWay: Bool {
        switch status {
        case .pending: rideId != nil || shipping?.methodId == "kangaroo"
        case .cancelled, .refunded: false
        default: rideId != nil && deliveryFailure == nil && !has(been: .delivered)
        }
    }

    /// Whether the order has or had a status. A partial refund replaces the status that the order had.
    private func has(been status: OrderStatus) -> Bool {
        self.status == status || history.contains { $0.status == status }
    }

    /// - Parameter seesRide: whether the ride is followed, and reports its pick-up.
    fileprivate func step(since earlier: Order, seesRide: Bool) -> DeliveryProgress.Step? {
        if has(been: .delivered), !earlier.has(been: .delivered) { return .delivered }
        if let failure = deliveryFailure, earlier.deliveryFailure == nil { return .failed(failure) }
        let isPickedUp = rideId != nil && has(been: .fulfilled) && !earlier.has(been: .fulfilled)
        return isPickedUp && !seesRide ? .pickedUp(nil) : nil
    }
}

extension DataError {
    /// Whether the same call may succeed later.
    package var isTemporary: Bool {
        switch reason {
        case .cancelled, .stillRunning, .paymentProviderFailed, .tooManyAttempts, .unexpected: true
        default: meansServerIsAway
        }
    }
}
