import Foundation
import Logging
import PouchDomain
import PouchRides
import ServiceLifecycle

/// Advances the rides of the city and notifies the followers of rides.
struct CityRunner: Service {
    let environment: RideEnvironment
    let feed: RideFeed
    let alarm: CityAlarm
    /// The longest pause between two searches: other processes add and advance rides too.
    let interval: Duration
    let logger: Logger

    /// The pause of a ride that failed to advance.
    private struct Backoff {
        var pause = RetryPause()
        var end = ContinuousClock.now
    }

    private static let positionInterval = Duration.seconds(1)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await advance() }
                group.addTask { await every(Self.positionInterval) { await feed.noteMovement() } }
                group.addTask { await every(feed.heartbeat) { await feed.beat() } }
            }
        }
    }

    private func advance() async {
        var failing: [String: Backoff] = [:]
        var retry = RetryPause()
        while !Task.isCancelled {
            do {
                let next = try await advance(&failing)
                try await noteChangesOfOtherProcesses()
                retry = RetryPause()
                let untilNext = next.map { Duration.seconds($0.timeIntervalSince(environment.time.now)) }
                await alarm.sleep(for: min(interval, max(.milliseconds(1), untilNext ?? interval)))
            } catch  where Task.isCancelled {
            } catch {
                logger.error("advancing rides failed; retrying", metadata: ["error": "\(error)"])
                try? await Task.sleep(for: retry.next())
            }
        }
    }

    /// Advances all rides that are due. A failing ride backs off and does not delay the others.
    ///
    /// - Returns: when the next ride is due.
    private func advance(_ failing: inout [String: Backoff]) async throws -> Date? {
        let paused = failing.filter { $0.value.end > .now }
        var failed: [String: Backoff] = [:]
        let next = try await City(environment).advance(
            except: Set(paused.keys),
            report: { id, error in
                logger.error("advancing a ride failed; retrying", metadata: ["ride": "\(id)", "error": "\(error)"])
                var backoff = failing[id] ?? Backoff()
                backoff.end = .now + backoff.pause.next()
                failed[id] = backoff
            }, onChange: { await feed.note($0) })
        failing = paused.merging(failed) { _, new in new }
        return next
    }

    private func noteChangesOfOtherProcesses() async throws {
        let versions = await feed.versions
        guard !versions.isEmpty else { return }
        for ride in try await environment.store.read({ try $0.rides.changed(since: versions) }) {
            await feed.note(ride)
        }
    }

    private func every(_ interval: Duration, _ work: () async -> Void) async {
        while !Task.isCancelled {
            await work()
            try? await Task.sleep(for: interval)
        }
    }
}

/// The pause before a retry; doubles with each failure in a row, from 250 ms up to 5 s.
struct RetryPause {
    private var last: Duration?

    /// The pause after one more failure.
    mutating func next() -> Duration {
        let pause = last.map { min($0 * 2, .seconds(5)) } ?? .milliseconds(250)
        last = pause
        return pause
    }
}
