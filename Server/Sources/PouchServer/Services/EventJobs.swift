import Foundation
import PouchDomain
import PouchStorage

extension Job {
    /// The maximum number of events that get their positions in one transaction.
    private static let batch = 1_000

    /// Assigns positions to events, if the database does not assign them when events are appended.
    ///
    /// - Parameter pause: the pause after which events that a dead process left are found. There may be more until all
    ///   transactions that began before an event have ended, including those in other databases of the same PostgreSQL
    ///   server.
    static func numbering(_ store: ShopDatabase, pause: Duration) -> Job {
        Job(
            name: "numbering events", announcement: .eventsAppended, pause: pause,
            nextDue: { try $0.events.hasUnnumbered() ? .distantPast : nil },
            run: {
                while try await store.write(.readCommitted, { try $0.events.number(limit: batch) }) {
                    try Task.checkCancellation()
                }
            })
    }

    /// Lets a consumer process the events.
    static func events(for consumer: EventConsumer) -> Job {
        Job(
            name: "events for \(consumer.name)", announcement: .eventsNumbered,
            nextDue: { try consumer.hasNew(in: $0) ? .distantPast : nil }, run: { try await consumer.run() })
    }
}
