import PouchClient
import PouchCoordination
import PouchScreens

/// Shows notices of the progress of orders that kangaroos deliver, on the screen that is on top.
///
/// One coordinator belongs to one session: it starts and stops with it. It has no screen of its own.
public final class NotificationCoordinator: ShopCoordinator {
    private let kind: SessionKind
    private let isNew: Bool
    private var watched: Set<Order.ID> = []

    /// - Parameters:
    ///   - kind: the kind of the session. A guest cannot follow rides.
    ///   - isNew: whether the session is new, and so has no earlier orders.
    ///   - stack: the screens that show the notices.
    ///   - factory: passed on, and not used here.
    public init(
        for kind: SessionKind, isNew: Bool, on stack: NavigationStack, screens factory: any ScreenFactory
    ) {
        self.kind = kind
        self.isNew = isNew
        super.init(on: stack, screens: factory)
    }

    override func managersDidChange() {
        watched = []
        guard let dependency, let checkout = dependency.checkout, let orders = dependency.orders,
            let rides = dependency.rides
        else { return }
        let watch = OrderWatch(
            orders: orders, rides: kind == .guest ? nil : rides, clock: dependency.clock,
            interval: dependency.statusInterval)
        for changed in [checkout.purchases(), orders.changes()] {
            untilDependencyChanges { [weak self] in
                for await order in changed { self?.watch(order, isNew: true, with: watch) }
            }
        }
        if !isNew, let connection = dependency.connection { watchEarlierOrders(connection, watch) }
    }

    private func watchEarlierOrders(_ connection: ConnectionManager, _ watch: OrderWatch) {
        untilDependencyChanges { [weak self] in
            // The first attempt is made even while offline: the request may find that the shop is back.
            var isFirst = true
            for await state in connection.connections() where state == .online || isFirst {
                isFirst = false
                repeat {
                    do throws(DataError) {
                        for order in try await watch.orders.orders().items {
                            self?.watch(order, isNew: false, with: watch)
                        }
                        return
                    } catch {
                        guard ScreenFailure(error).remedy == .retry else { return }
                    }
                    // Repeat at intervals while the shop is online; while it is offline, wait for its return.
                    guard connection.connection == .online else { break }
                } while (try? await watch.clock.sleep(for: watch.interval)) != nil
            }
        }
    }

    private func watch(_ order: Order, isNew: Bool, with watch: OrderWatch) {
        guard order.isUnderWay, watched.insert(order.id).inserted else { return }
        untilDependencyChanges { [weak self] in
            await watch.run(on: order, isNew: isNew) { self?.notify($0) }
            self?.watched.remove(order.id)
        }
    }
}

/// Watches an order while a kangaroo delivers it.
@MainActor
private struct OrderWatch {
    let orders: OrderManager
    /// nil for a guest, who cannot follow rides: the order is read at intervals.
    let rides: RideManager?
    let clock: any Clock<Duration>
    /// The interval between two requests without a ride to follow.
    let interval: Duration

    /// - Parameters:
    ///   - first: the order as it is known.
    ///   - isNew: whether its ride, if any, was requested just now. The earlier progress of another ride is not shown.
    func run(on first: Order, isNew: Bool, notify: @MainActor (Notice) -> Void) async {
        var order = first
        var ride = RideProgress(statuses: isNew ? 1 : nil)
        while order.isUnderWay {
            let isFollowed = await follow(order, &ride, notify)
            if !isFollowed, (try? await clock.sleep(for: interval)) == nil { return }
            do throws(DataError) {
                let latest = try await orders.order(id: order.id)
                // The session may have ended: its notices are not for the next one.
                guard !Task.isCancelled else { return }
                if latest.rideId != order.rideId { ride = RideProgress(statuses: 1) }
                if let notice = Notice(latest, since: order, seesRide: rides != nil) { notify(notice) }
                order = latest
            } catch {
                guard ScreenFailure(error).remedy == .retry else { return }
            }
        }
    }

    /// Returns whether the ride was followed to an end.
    private func follow(
        _ order: Order, _ progress: inout RideProgress, _ notify: @MainActor (Notice) -> Void
    ) async -> Bool {
        guard let rides, let id = order.rideId, !progress.isOver else { return false }
        do {
            for try await ride in rides.follow(id) {
                guard !Task.isCancelled else { break }
                if progress.advance(to: ride), let notice = Notice(ride, delivering: order) { notify(notice) }
            }
            progress.isOver = true
            return true
        } catch {
            return false
        }
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

extension Notice {
    /// nil for a status that the order reports itself.
    fileprivate init?(_ ride: Ride, delivering order: Order) {
        guard let driver = ride.driver else { return nil }
        switch ride.status {
        case .accepted: self.init("\(driver.name) fetches your order \(order.number).")
        case .inProgress:
            let eta = ride.etaMinutes.map { ": \($0) min" } ?? ""
            self.init("\(driver.name) has your order \(order.number) and is on the way\(eta).")
        default: return nil
        }
    }

    /// - Parameter seesRide: whether the ride is followed, and reports its pick-up.
    fileprivate init?(_ order: Order, since earlier: Order, seesRide: Bool) {
        if order.has(been: .delivered), !earlier.has(been: .delivered) {
            self.init("Order \(order.number) was delivered.")
        } else if order.deliveryFailure != nil, earlier.deliveryFailure == nil {
            self.init("No kangaroo came for order \(order.number): choose another way of delivery in its page.")
        } else if !seesRide, order.rideId != nil, order.has(been: .fulfilled), !earlier.has(been: .fulfilled) {
            self.init("A kangaroo has your order \(order.number) and is on the way.")
        } else {
            return nil
        }
    }
}
