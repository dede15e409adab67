import PouchData
import PouchEntities
import Synchronization

/// The work of one stream of deliveries.
final class DeliveryWatch: Sendable {
    let orders: OrderManager
    let rides: RideManager?
    let connection: ConnectionManager
    let clock: any Clock<Duration>
    let interval: Duration
    let progress: AsyncStream<DeliveryProgress>.Continuation
    private let watched = Mutex<Set<Order.ID>>([])

    init(
        orders: OrderManager, rides: RideManager?, connection: ConnectionManager, clock: any Clock<Duration>,
        interval: Duration, progress: AsyncStream<DeliveryProgress>.Continuation
    ) {
        self.orders = orders
        self.rides = rides
        self.connection = connection
        self.clock = clock
        self.interval = interval
        self.progress = progress
    }

    func run(bought: AsyncStream<Order>, changed: AsyncStream<Order>, includesEarlier: Bool) async {
        let (found, find) = AsyncStream.makeStream(of: (order: Order, isNewRide: Bool).self)
        await withDiscardingTaskGroup { group in
            for new in [bought, changed] {
                group.addTask { for await order in new { find.yield((order, true)) } }
            }
            if includesEarlier {
                group.addTask {
                    for order in await self.earlierOrders() { find.yield((order, false)) }
                }
            }
            for await (order, isNewRide) in found {
                let id = order.id
                guard order.isUnderWay, watched.withLock({ $0.insert(id).inserted }) else { continue }
                group.addTask {
                    await self.orders.turns.take(id) { known in
                        await self.watch(known ?? WatchedDelivery(order, isNewRide: isNewRide))
                    }
                    self.watched.withLock { _ = $0.remove(id) }
                }
            }
        }
    }

    /// The newest page, as soon as the shop returns it; empty if it refuses.
    private func earlierOrders() async -> [Order] {
        // The first attempt is made even while offline: the shop may be reachable again.
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

    /// Watches a delivery to its end. After a cancellation, the next stream continues with the returned value.
    private func watch(_ delivery: WatchedDelivery) async -> WatchedDelivery {
        var known = delivery
        while known.order.isUnderWay {
            let isFollowed = await follow(known.order, &known.ride)
            if !isFollowed, (try? await clock.sleep(for: interval)) == nil { break }
            do throws(DataError) {
                let latest = try await orders.order(id: known.order.id)
                // The session may have ended: its orders do not belong to the next one.
                guard !Task.isCancelled else { break }
                // All earlier progress of the next ride is also new.
                if latest.rideId != known.order.rideId { known.ride = RideProgress(statuses: 1) }
                if let step = latest.step(since: known.order, seesRide: rides != nil) { report(step, of: latest) }
                known.order = latest
            } catch {
                guard error.isTemporary else { break }
            }
        }
        return known
    }

    /// Returns whether the ride was followed to its end.
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

/// An order whose delivery is watched, with the steps already reported.
struct WatchedDelivery: Sendable {
    var order: Order
    fileprivate var ride: RideProgress

    /// - Parameter isNewRide: whether the ride of the order, if any, has just been requested.
    fileprivate init(_ order: Order, isNewRide: Bool) {
        self.order = order
        ride = RideProgress(statuses: isNewRide ? 1 : nil)
    }
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
