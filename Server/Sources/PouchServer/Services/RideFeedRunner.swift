import Foundation
import Logging
import PouchDomain
import PouchRides
import PouchStorage
import ServiceLifecycle

/// Tells the followers of rides about changes, movements and heartbeats.
struct RideFeedRunner: Service {
    let store: ShopDatabase
    let feed: RideFeed
    let logger: Logger

    /// The interval at which followed rides are read, since any process may change them. Announcements would cost each
    /// step of a ride more than these reads.
    private static let rideInterval = Duration.milliseconds(250)
    /// The interval at which the positions of followed drivers are computed.
    private static let positionInterval = Duration.seconds(1)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await noteRides() }
                group.addTask { await every(Self.positionInterval) { await feed.noteMovement() } }
                group.addTask { await every(feed.heartbeat) { await feed.beat() } }
            }
        }
    }

    private func noteRides() async {
        var retry = RetryPause()
        while !Task.isCancelled {
            do {
                let known = await feed.versions
                if !known.isEmpty {
                    for ride in try await store.read({ try $0.rides.changed(since: known) }) { await feed.note(ride) }
                }
                retry = RetryPause()
                try await Task.sleep(for: Self.rideInterval)
            } catch  where Task.isCancelled {
            } catch {
                logger.error("reading the followed rides failed; retrying", metadata: ["error": "\(error)"])
                try? await Task.sleep(for: retry.next())
            }
        }
    }

    private func every(_ interval: Duration, _ work: () async -> Void) async {
        while !Task.isCancelled {
            await work()
            try? await Task.sleep(for: interval)
        }
    }
}
