import Foundation
import Logging
import PouchDomain
import PouchEntities
import PouchServer
import PouchStorage
import Synchronization

/// The simulated city. Advances rides by the clock; any number of processes may do so, and each step happens once.
public struct City: Sendable {
    /// The maximum number of due rides read at once.
    private static let batch = 100

    private let environment: RideEnvironment
    private let delivery: OrderDelivery

    public init(_ environment: RideEnvironment) {
        self.environment = environment
        delivery = OrderDelivery(environment.domain)
    }

    /// Advances all due rides. A ride that fails does not delay the others.
    ///
    /// - Parameters:
    ///   - resting: the ids of rides to skip.
    ///   - report: called with the id of a ride that failed, and the error.
    ///   - onChange: called with each changed ride.
    /// - Returns: the time at which another ride than those skipped or failed is due; nil when no other is active.
    public func advance(
        except resting: Set<String> = [], report: (String, any Error) -> Void = { _, _ in },
        onChange: (RideRecord) async -> Void = { _ in }
    ) async throws -> Date? {
        var left = resting
        var hasMoved = true
        // The store rounds times, so the clock may not yet have reached the due time of a ride that the store returns.
        while hasMoved {
            hasMoved = false
            let (now, limit) = (environment.time.now, Self.batch + left.count)
            let due = try await environment.domain.store.read { try $0.rides.due(at: now, limit: limit) }
            for (id, orderId) in due where !left.contains(id) {
                try Task.checkCancellation()
                do {
                    guard let ride = try await advance(id, orderId) else { continue }
                    await onChange(ride)
                } catch  where !Task.isCancelled {
                    left.insert(id)
                    report(id, error)
                }
                hasMoved = true
            }
        }
        return try await environment.domain.store.read { [left] in try $0.rides.nextDue(except: left) }
    }

    /// - Returns: the ride if it has changed.
    private func advance(_ id: String, _ orderId: String?) async throws -> RideRecord? {
        try await environment.domain.store.write(.readCommitted) { repositories in
            // Reads the order first: a cancellation locks it before its ride.
            let order = try orderId.flatMap { try repositories.orders.order(id: $0, locking: true) }
            guard var ride = try repositories.rides.ride(id: id, locking: true) else { return nil }
            let before = ride
            try Dispatcher(city: environment.city, now: environment.time.now, repositories: repositories)
                .advance(&ride)
            guard ride != before else { return nil }
            if ride.dueAt == nil, before.dueAt != nil {
                let type = ride.status == .completed ? EventType.rideCompleted : .rideCancelled
                try environment.domain.events.append(type, of: ride, at: environment.time.now, in: repositories)
            }
            if let order {
                try delivery.apply(
                    ride.deliverySteps(since: before.history.count), ofRide: ride.id, to: order, in: repositories)
            }
            return ride
        }
    }
}

extension EventLog {
    /// Appends the event of a rider's ride. A courier's ride belongs to the shop, and shows in its order's events.
    func append(_ type: EventType, of ride: RideRecord, at now: Date, in repositories: any Repositories) throws {
        guard case .rider = ride.passenger else { return }
        try append(type, of: ride.id, EventData(ride: ride.ride(at: now)), in: repositories)
    }
}

extension RideRecord {
    /// - Parameter count: the number of statuses that the order already reflects.
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

/// The shop's environment, with the settings of the city.
public struct RideEnvironment: Sendable {
    public let domain: DomainEnvironment
    public let city: CitySettings

    public init(_ domain: DomainEnvironment, city: CitySettings = CitySettings()) {
        self.domain = domain
        self.city = city
    }

    public var time: any TimeSource { domain.time }
}

/// The settings of the simulated city, which is Sydney.
public struct CitySettings: Sendable, Equatable {
    private static let centre = GeoPoint(latitude: -33.8688, longitude: 151.2093)

    /// The country of the city, in the form used in addresses.
    static let country = "AU"

    /// Whether a place is in the city: within 60 km of its centre.
    static func covers(_ point: GeoPoint) -> Bool { centre.distance(to: point) <= 60_000 }

    public static let speeds = 1.0...100_000.0
    public static let fleets = 0...10_000

    /// The speed of kangaroos and their decisions, relative to real time.
    public var speed: Double
    /// The minimum number of kangaroos of each species.
    public var kangaroosOfEachSpecies: Int

    public init(speed: Double = 1, kangaroosOfEachSpecies: Int = 30) {
        self.speed = speed
        self.kangaroosOfEachSpecies = kangaroosOfEachSpecies
    }
}

/// Advances the rides of the city. A failing ride backs off and does not delay the others.
final class CityJob: Sendable {
    /// The pause of a ride that failed to advance.
    private struct Pause {
        var backoff = Backoff()
        var end = ContinuousClock.now
    }

    private let environment: RideEnvironment
    private let feed: RideFeed
    private let logger: Logger
    private let failing = Mutex<[String: Pause]>([:])

    init(_ environment: RideEnvironment, feed: RideFeed, logger: Logger) {
        self.environment = environment
        self.feed = feed
        self.logger = logger
    }

    var job: Job { Job(name: "advancing rides", announcement: .rideRequested, nextDue: nextDue, run: advance) }

    @Sendable private func nextDue(in transaction: ShopDatabase.Transaction) throws -> Date? {
        let failing = failing.withLock { $0 }
        let next = try transaction.rides.nextDue(except: Set(failing.keys))
        let retry = failing.values.map(\.end).min().map {
            environment.time.now.addingTimeInterval((ContinuousClock.now.duration(to: $0)) / .seconds(1))
        }
        return [next, retry].compactMap(\.self).min()
    }

    @Sendable private func advance() async throws {
        let paused = failing.withLock { $0.filter { $0.value.end > .now } }
        _ = try await City(environment).advance(
            except: Set(paused.keys), report: backOff, onChange: { await feed.note($0) })
        // Rides whose pause had ended and that failed again have a later end.
        failing.withLock { $0 = $0.filter { $0.value.end > .now } }
    }

    private func backOff(_ id: String, _ error: any Error) {
        logger.error("advancing a ride failed; retrying", metadata: ["ride": "\(id)", "error": "\(error)"])
        failing.withLock { failing in
            var pause = failing[id] ?? Pause()
            pause.end = .now + pause.backoff.next()
            failing[id] = pause
        }
    }
}
