import PouchContract
import PouchEntities
import PouchService
import PouchWire

/// What becomes of a ride, as it happens.
///
/// It survives broken connections and a server that is away, and ends when nothing more will come of the ride, or when the
/// task that reads is cancelled. Each iterator has a connection of its own.
public struct RideEvents: AsyncSequence, Sendable {
    public typealias Element = RideEvent
    public typealias Failure = DataError

    /// nil for a shop that is a feed.
    let events: ServiceEventStream?
    let contact: ContactObserver
    let reportRow: @Sendable (RowReport) -> Void

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: events?.makeAsyncIterator(), contact: contact, reportRow: reportRow)
    }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate var events: ServiceEventStream.AsyncIterator?
        fileprivate let contact: ContactObserver
        fileprivate let reportRow: @Sendable (RowReport) -> Void
        private var count = 0

        fileprivate init(
            events: ServiceEventStream.AsyncIterator?, contact: ContactObserver,
            reportRow: @escaping @Sendable (RowReport) -> Void
        ) {
            self.events = events
            self.contact = contact
            self.reportRow = reportRow
        }

        public mutating func next() async throws(DataError) -> RideEvent? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(DataError) -> RideEvent? {
            while let event = try await nextRaw(isolation: actor) {
                defer { count += 1 }
                // A later version of the server may tell more.
                guard let kind = RideEvent.Kind(rawValue: event.name) else { continue }
                do {
                    let update = try WireJSON.decode(RideUpdate.self, from: event.data)
                    return RideEvent(kind: kind, id: event.id, update: update)
                } catch {
                    reportRow(
                        RowReport(
                            list: Contract.rideEvents.endpoint.name, row: count, reason: RowReport.reason(error),
                            requestId: nil))
                }
            }
            return nil
        }

        private mutating func nextRaw(
            isolation actor: isolated (any Actor)?
        ) async throws(DataError) -> ServiceEvent? {
            guard var events else { throw DataError(.notOffered, log: Contract.rideEvents.endpoint.name) }
            do throws(ServiceError) {
                let event = try await events.next(isolation: actor)
                self.events = events
                if event != nil { contact.tell(true) }
                return event
            } catch {
                self.events = events
                if let answered = error.isAnswer { contact.tell(answered) }
                throw DataError(error)
            }
        }
    }
}
