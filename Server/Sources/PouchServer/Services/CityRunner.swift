import Foundation
import Logging
import PouchDomain
import ServiceLifecycle

/// Keeps the city in motion, and lets those who follow rides know.
struct CityRunner: Service {
    let environment: DomainEnvironment
    let feed: RideFeed
    let alarm: CityAlarm
    /// The longest pause between two looks: rides come from other processes too, and what these do to one is seen then.
    let interval: Duration
    let logger: Logger

    /// A ride that could not go on.
    private struct Rest {
        var pause = RetryPause()
        var end = ContinuousClock.now
    }

    /// Between two positions.
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
        var rests: [String: Rest] = [:]
        var retry = RetryPause()
        while !Task.isCancelled {
            do {
                let next = try await advance(&rests)
                try await lookElsewhere()
                retry = RetryPause()
                let untilNext = next.map { Duration.seconds($0.timeIntervalSince(environment.time.now)) }
                await alarm.sleep(for: min(interval, max(.milliseconds(1), untilNext ?? interval)))
            } catch  where Task.isCancelled {
            } catch {
                logger.error("the city stands still; it will be tried again", metadata: ["error": "\(error)"])
                try? await Task.sleep(for: retry.next())
            }
        }
    }

    /// - Parameter rests: of rides that could not go on; none of them keeps the others waiting.
    private func advance(_ rests: inout [String: Rest]) async throws -> Date? {
        let resting = rests.filter { $0.value.end > .now }
        var failed: [String: Rest] = [:]
        let next = try await City(environment).advance(
            except: Set(resting.keys),
            report: { id, error in
                logger.error("a ride cannot go on", metadata: ["ride": "\(id)", "error": "\(error)"])
                var rest = rests[id] ?? Rest()
                rest.end = .now + rest.pause.next()
                failed[id] = rest
            }, tell: { await feed.note($0) })
        rests = resting.merging(failed) { _, new in new }
        return next
    }

    /// Other processes bring rides forward too.
    private func lookElsewhere() async throws {
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
