import Foundation
import PouchEntities

/// The simulated city in motion. However many processes move it, each step is made once.
public struct City: Sendable {
    /// The most rides that are looked for at a time.
    private static let batch = 100

    private let environment: DomainEnvironment
    private let couriers: CourierDesk

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
        couriers = CourierDesk(environment)
    }

    /// Does with all rides what is due by now. One with which that fails does not keep the others waiting.
    ///
    /// - Parameters:
    ///   - report: told of a ride's id and what kept it from going on; it will be tried again.
    ///   - tell: told of each ride that has changed.
    /// - Returns: when something will be due next; nil when no ride is active.
    public func advance(
        report: (String, any Error) -> Void = { _, _ in }, tell: (RideRecord) async -> Void = { _ in }
    ) async throws -> Date? {
        var failed: Set<String> = []
        while true {
            let now = environment.time.now
            // Those that failed stay due.
            let limit = Self.batch + failed.count
            let due = try await environment.store.read { try $0.rides.due(at: now, limit: limit) }
                .filter { !failed.contains($0) }
            guard !due.isEmpty else { break }
            for id in due {
                do {
                    if let ride = try await advance(id) { await tell(ride) }
                } catch {
                    failed.insert(id)
                    report(id, error)
                }
            }
        }
        return try await environment.store.read { try $0.rides.nextDue() }
    }

    /// - Returns: the ride, where it has changed.
    private func advance(_ id: String) async throws -> RideRecord? {
        try await environment.store.write(.readCommitted) { repositories in
            // The order first: whoever cancels it locks it before its ride.
            let order = try repositories.rides.ride(id: id)?.orderId.flatMap {
                try repositories.orders.order(id: $0, locking: true)
            }
            guard var ride = try repositories.rides.ride(id: id, locking: true) else { return nil }
            let before = ride
            try Dispatcher(city: environment.city, now: environment.time.now, repositories: repositories)
                .advance(&ride)
            guard ride != before else { return nil }
            guard try repositories.rides.update(ride) else { throw TransactionConflict() }
            ride.version += 1
            if let order {
                try couriers.follow(ride, of: order, since: before.history.count, in: repositories)
            }
            return ride
        }
    }
}
