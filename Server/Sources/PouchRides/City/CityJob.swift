import Foundation
import Logging
import PouchDomain
import PouchServer
import PouchStorage
import Synchronization

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
