import PouchClient
import PouchScreens

/// Watches an order while a kangaroo brings it, and tells what becomes of it.
@MainActor
struct OrderWatch {
    let orders: OrderManager
    /// nil for who cannot see rides: then the order is looked at again and again.
    let rides: RideManager?
    let clock: any Clock<Duration>
    /// Between two looks, where nothing tells that there is something to see.
    let interval: Duration

    /// - Parameters:
    ///   - first: the order as it is known.
    ///   - isNew: whether its ride, if any, was asked for just now; else what became of it so far is known.
    func run(on first: Order, isNew: Bool, tell: @MainActor (Notice) -> Void) async {
        var order = first
        var ride = RideProgress(statuses: isNew ? 1 : nil)
        while order.isUnderWay {
            let isFollowed = await follow(order, &ride, tell)
            if !isFollowed, (try? await clock.sleep(for: interval)) == nil { return }
            do throws(DataError) {
                let latest = try await orders.order(id: order.id)
                // Whoever is here now is not told of somebody else's.
                guard !Task.isCancelled else { return }
                if latest.rideId != order.rideId { ride = RideProgress(statuses: 1) }
                if let notice = Notice(latest, since: order, seesRide: rides != nil) { tell(notice) }
                order = latest
            } catch {
                guard ScreenFailure(error).remedy == .retry else { return }
            }
        }
    }

    /// - Returns: whether the ride was followed to an end.
    private func follow(
        _ order: Order, _ progress: inout RideProgress, _ tell: @MainActor (Notice) -> Void
    ) async -> Bool {
        guard let rides, let id = order.rideId, !progress.isOver else { return false }
        do {
            for try await ride in rides.follow(id) {
                guard !Task.isCancelled else { break }
                if progress.goes(on: ride), let notice = Notice(ride, bringing: order) { tell(notice) }
            }
            progress.isOver = true
            return true
        } catch {
            return false
        }
    }
}

/// How far a ride is known.
private struct RideProgress {
    /// How many there were in its history; nil before it was seen.
    var statuses: Int?
    /// Whether nothing more will be heard of it.
    var isOver = false

    init(statuses: Int?) {
        self.statuses = statuses
    }

    /// - Returns: whether it has come to a status that is news.
    mutating func goes(on ride: Ride) -> Bool {
        defer { statuses = max(statuses ?? 0, ride.history.count) }
        return statuses.map { ride.history.count > $0 } ?? false
    }
}

extension Order {
    /// Whether a kangaroo is to bring it, also where its payment is still being settled.
    package var isUnderWay: Bool {
        switch status {
        case .pending: rideId != nil || shipping?.methodId == "kangaroo"
        case .cancelled, .refunded: false
        default: rideId != nil && deliveryFailure == nil && !has(been: .delivered)
        }
    }

    /// A refund of a part hides how far an order was.
    fileprivate func has(been status: OrderStatus) -> Bool {
        self.status == status || history.contains { $0.status == status }
    }
}

extension Notice {
    /// What people want to hear of the ride's status; nil for what the order says itself.
    fileprivate init?(_ ride: Ride, bringing order: Order) {
        guard let driver = ride.driver else { return nil }
        switch ride.status {
        case .accepted: self.init("\(driver.name) fetches your order \(order.number).")
        case .inProgress:
            let eta = ride.etaMinutes.map { ": \($0) min" } ?? ""
            self.init("\(driver.name) has your order \(order.number) and is on the way\(eta).")
        default: return nil
        }
    }

    /// - Parameter seesRide: whether its ride was heard of.
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
