import Foundation
import PouchDomain
import PouchStorage

extension Job {
    /// The largest number of events that get their positions in one transaction.
    private static let batch = 1_000

    /// Gives the events their positions, where the database does not give them when events are appended.
    ///
    /// - Parameter pause: after it, events that a process left when it died are found. Until all transactions that began
    ///   before an event have ended, those in other databases of the same PostgreSQL included, there may be more.
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

    /// Lets a consumer take the events.
    static func events(for consumer: EventConsumer) -> Job {
        Job(
            name: "events for \(consumer.name)", announcement: .eventsNumbered,
            nextDue: { try consumer.hasNew(in: $0) ? .distantPast : nil }, run: { try await consumer.run() })
    }
}
