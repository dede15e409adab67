import Logging
import PouchDomain
import PouchStorage
import ServiceLifecycle

/// Gives the events their positions, and lets each consumer take them.
///
/// It looks for events at short intervals, since a notification for each event would cost every checkout more.
struct EventRunner: Service {
    private static let interval = Duration.milliseconds(200)
    /// The largest number of events that get their positions in one transaction.
    private static let batch = 1_000

    let store: ShopDatabase
    let consumers: [EventConsumer]
    let logger: Logger
    var watch = BackgroundWatch()

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await repeating("numbering the events", logger) {
                        try await number()
                        try await Task.sleep(for: Self.interval)
                    }
                }
                for consumer in consumers {
                    group.addTask {
                        await repeating("taking events for \(consumer.name)", logger) {
                            try await take(consumer)
                            try await Task.sleep(for: Self.interval)
                        }
                    }
                }
            }
        }
    }

    private func number() async throws {
        guard try await store.read({ try $0.events.hasUnnumbered() }) else { return }
        try await watch.run("numbering events") {
            while try await store.write(.readCommitted, { try $0.events.number(limit: Self.batch) }) {
                try Task.checkCancellation()
            }
        }
    }

    private func take(_ consumer: EventConsumer) async throws {
        // Most runs find no event, and get no trace.
        guard try await consumer.hasNew() else { return }
        _ = try await watch.run("events for \(consumer.name)") { try await consumer.run() }
    }
}
