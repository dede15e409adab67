import Foundation
import Logging
import PouchDomain
import ServiceLifecycle

/// Keeps the city in motion, and lets those who follow rides know.
struct CityRunner: Service {
    let environment: DomainEnvironment
    let feed: RideFeed
    let logger: Logger

    /// The longest pause between two looks: rides come from other processes too, and what these do to one is seen then.
    private static let longestPause = 0.25
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
        let city = City(environment)
        while !Task.isCancelled {
            var pause = Self.longestPause
            do {
                var hasFailed = false
                let next = try await city.advance(
                    report: { id, error in
                        hasFailed = true
                        logger.error("a ride cannot go on", metadata: ["ride": "\(id)", "error": "\(error)"])
                    }, tell: { await feed.note($0) })
                // What failed stays due, and is not tried again without a pause.
                if let next, !hasFailed { pause = min(pause, max(0.001, next.timeIntervalSince(environment.time.now))) }
                try await lookElsewhere()
            } catch is CancellationError {
            } catch {
                logger.error("the city stands still; it will be tried again", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: .seconds(pause))
        }
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
