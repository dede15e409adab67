import Foundation
import PouchDomain
import PouchEntities

/// The simulated city in motion. However many processes move it, each step is made once.
public struct City: Sendable {
    /// The most rides that are looked for at a time.
    private static let batch = 100

    private let environment: RideEnvironment
    private let delivery: OrderDelivery

    public init(_ environment: RideEnvironment) {
        self.environment = environment
        delivery = OrderDelivery(environment.shop)
    }

    /// Does with all rides what is due by now. One with which that fails does not keep the others waiting.
    ///
    /// - Parameters:
    ///   - resting: the ids of rides that are left alone.
    ///   - report: told of a ride's id and what kept it from going on.
    ///   - tell: told of each ride that has changed.
    /// - Returns: when something will be due next with another ride than those that rest or failed, which stay due; nil when
    ///   no other is active.
    public func advance(
        except resting: Set<String> = [], report: (String, any Error) -> Void = { _, _ in },
        tell: (RideRecord) async -> Void = { _ in }
    ) async throws -> Date? {
        var left = resting
        var hasMoved = true
        // The store rounds times, so what is due to it may not be due yet by the clock.
        while hasMoved {
            hasMoved = false
            let (now, limit) = (environment.time.now, Self.batch + left.count)
            let due = try await environment.store.read { try $0.rides.due(at: now, limit: limit) }
            for (id, orderId) in due where !left.contains(id) {
                try Task.checkCancellation()
                do {
                    guard let ride = try await advance(id, orderId) else { continue }
                    await tell(ride)
                } catch  where !Task.isCancelled {
                    left.insert(id)
                    report(id, error)
                }
                hasMoved = true
            }
        }
        return try await environment.store.read { [left] in try $0.rides.nextDue(except: left) }
    }

    /// - Returns: the ride, where it has changed.
    private func advance(_ id: String, _ orderId: String?) async throws -> RideRecord? {
        try await environment.store.write(.readCommitted) { repositories in
            // The order first: whoever cancels it locks it before its ride.
            let order = try orderId.flatMap { try repositories.orders.order(id: $0, locking: true) }
            guard var ride = try repositories.rides.ride(id: id, locking: true) else { return nil }
            let before = ride
            try Dispatcher(city: environment.city, now: environment.time.now, repositories: repositories)
                .advance(&ride)
            guard ride != before else { return nil }
            if let order {
                try delivery.apply(
                    ride.deliverySteps(since: before.history.count), ofRide: ride.id, to: order, in: repositories)
            }
            return ride
        }
    }
}

extension RideRecord {
    /// - Parameter count: the number of statuses that the order has taken into account before.
    fileprivate func deliverySteps(since count: Int) -> [DeliveryStep] {
        let steps = history.dropFirst(count).compactMap { event -> DeliveryStep? in
            switch event.status {
            case .inProgress: .pickedUp(at: event.at)
            case .completed: .arrived(at: event.at)
            default: nil
            }
        }
        return dueAt == nil && status != .completed ? steps + [.failed] : steps
    }
}
