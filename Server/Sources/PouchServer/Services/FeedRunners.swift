import Foundation
import Logging
import PouchDomain
import PouchStorage
import ServiceLifecycle

/// Notifies the followers of orders and rides of changes, movements and heartbeats.
struct LiveFeedRunner: Service {
    let store: ShopDatabase
    let orders: OrderFeed
    let rides: RideFeed
    let logger: Logger

    /// The interval at which followed objects are read, since any process may change them. Announcing each of their
    /// steps would cost more than these reads.
    private static let interval = Duration.milliseconds(250)
    /// The interval at which the positions of followed drivers are computed.
    private static let positionInterval = Duration.seconds(1)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await noting("orders", await orders.versions, { try $0.orders.changed(since: $1) }) {
                        await orders.note($0)
                    }
                }
                group.addTask { await every(orders.heartbeat) { await orders.beat() } }
                group.addTask {
                    await noting("rides", await rides.versions, { try $0.rides.changed(since: $1) }) {
                        await rides.note($0)
                    }
                }
                group.addTask { await every(Self.positionInterval) { await rides.noteMovement() } }
                group.addTask { await every(rides.heartbeat) { await rides.beat() } }
            }
        }
    }

    /// Repeatedly reads the changes of the followed objects.
    private func noting<Object: Sendable>(
        _ name: String, _ versions: @autoclosure () async -> [String: Int],
        _ changed: @escaping @Sendable (ShopDatabase.Transaction, [String: Int]) throws -> [Object],
        _ note: (Object) async -> Void
    ) async {
        await repeating("reading the followed \(name)", logger) {
            let known = await versions()
            if !known.isEmpty {
                for object in try await store.read({ try changed($0, known) }) { await note(object) }
            }
            try await Task.sleep(for: Self.interval)
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
    /// The announcements of commits since the call.
    let announcements: @Sendable () -> AsyncStream<DatabaseNotification>
    let logger: Logger

    /// The interval between checks for changes that are not announced, such as those of another process on SQLite,
    /// and for times at which prices or statuses change.
    private static let interval = Duration.milliseconds(250)
    /// The age at which a catalogue that cannot be confirmed is reported.
    private static let unconfirmed: TimeInterval = 5
    /// The minimum time between two reports.
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
            let (age, failure) = catalog.refreshIfDue()
            if age > Self.unconfirmed, let failure {
                if lastReport.map({ .now - $0 > Self.reportInterval }) ?? true {
                    logger.error(
                        "the catalogue cannot be confirmed; the last version stays in use",
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
