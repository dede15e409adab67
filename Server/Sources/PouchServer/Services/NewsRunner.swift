import Foundation
import Logging
import PouchDomain
import PouchRides
import PouchStorage
import ServiceLifecycle

/// Passes on what transactions announce: to the jobs, and to the followers of rides, whom it also tells about movements
/// and heartbeats.
struct NewsRunner: Service {
    let store: ShopDatabase
    let jobs: Alarm
    let feed: RideFeed
    let logger: Logger

    /// The interval at which the positions of followed drivers are computed.
    private static let positionInterval = Duration.seconds(1)
    /// The interval at which followed rides are read where other processes cannot announce that they changed them.
    private static let rideInterval = Duration.milliseconds(250)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await news in store.events() { await receive(news) } }
                group.addTask { await every(Self.positionInterval) { await feed.noteMovement() } }
                group.addTask { await every(feed.heartbeat) { await feed.beat() } }
                group.addTask {
                    await every(Self.rideInterval) {
                        if !store.hearsOtherProcesses { await attempt { try await noteRides() } }
                    }
                }
            }
        }
    }

    private func receive(_ news: StoreNews) async {
        switch news {
        case .event(.importReceived): await jobs.ring()
        case .event(.ride(let id, let version)):
            await jobs.ring()
            if let known = await feed.versions[id], known < version {
                await attempt { try await noteRides([id: known]) }
            }
        case .gap:
            await jobs.ring()
            await attempt { try await noteRides() }
        }
    }

    private func noteRides() async throws {
        try await noteRides(feed.versions)
    }

    private func noteRides(_ known: [String: Int]) async throws {
        guard !known.isEmpty else { return }
        for ride in try await store.read({ try $0.rides.changed(since: known) }) { await feed.note(ride) }
    }

    private func every(_ interval: Duration, _ work: () async -> Void) async {
        while !Task.isCancelled {
            await work()
            try? await Task.sleep(for: interval)
        }
    }

    private func attempt(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch  where Task.isCancelled {
        } catch {
            logger.error("reading the followed rides failed; retrying", metadata: ["error": "\(error)"])
        }
    }
}
