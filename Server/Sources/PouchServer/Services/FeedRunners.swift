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

/// Keeps the catalogue current, so that no reader has to wait for it.
struct CatalogRunner: Service {
    let catalog: CatalogFollower
    /// The announcements of commits from the call on.
    let announcements: @Sendable () -> AsyncStream<DatabaseNotification>
    let logger: Logger

    /// The interval between looks at what is due: changes that are not announced, as those of another process on SQLite
    /// or of a server of an earlier release, and boundaries of the clock.
    private static let interval = Duration.milliseconds(250)
    /// The age of the catalogue from which on it is reported that it cannot be confirmed.
    private static let unconfirmed: TimeInterval = 5
    /// The least time between two reports.
    private static let reportInterval = Duration.seconds(60)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                let alarm = Alarm()
                group.addTask { await keepUp(wokenBy: alarm) }
                group.addTask {
                    for await announcement in announcements() {
                        if case .text(let text) = announcement, text != Announcement.catalogChanged.rawValue {
                            continue
                        }
                        catalog.noteChange()
                        await alarm.ring()
                    }
                }
            }
        }
    }

    private func keepUp(wokenBy alarm: Alarm) async {
        var lastReport: ContinuousClock.Instant?
        while !Task.isCancelled {
            let (age, failure) = catalog.keepUp()
            if age > Self.unconfirmed, let failure {
                if lastReport.map({ .now - $0 > Self.reportInterval }) ?? true {
                    logger.error(
                        "the catalogue cannot be confirmed; the last one stays in use",
                        metadata: ["seconds": "\(Int(age))", "error": "\(failure)"])
                    lastReport = .now
                }
            } else if failure == nil, lastReport != nil {
                logger.notice("the catalogue is confirmed again")
                lastReport = nil
            }
            await alarm.sleep(for: Self.interval)
        }
    }
}
