import PouchContract
import PouchEntities
import PouchService
import PouchWire

/// A change of a ride.
public struct RideEvent: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        case status
        /// The driver's location and remaining time.
        case position
    }

    public let kind: Kind
    /// The id to continue after: the number of statuses that the ride has had.
    public let id: String
    public let update: RideUpdate
}

/// The events of a ride as they happen. The sequence survives broken connections and an absent server, and ends after
/// the ride's last event. Each iterator has its own connection.
public struct RideEvents: AsyncSequence, Sendable {
    public typealias Element = RideEvent
    public typealias Failure = DataError

    /// nil for a shop that is a feed.
    let events: ServiceEventStream?
    let data: DataManager

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: events?.makeAsyncIterator(), data: data)
    }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate var events: ServiceEventStream.AsyncIterator?
        fileprivate let data: DataManager
        fileprivate var count = 0

        public mutating func next() async throws(DataError) -> RideEvent? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(DataError) -> RideEvent? {
            while let event = try await nextRaw(isolation: actor) {
                defer { count += 1 }
                // A later version of the server may send other kinds.
                guard let kind = RideEvent.Kind(rawValue: event.name) else { continue }
                do {
                    let update = try WireJSON.decode(RideUpdate.self, from: event.data)
                    return RideEvent(kind: kind, id: event.id, update: update)
                } catch {
                    data.reportRow(
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
            defer { self.events = events }
            do throws(ServiceError) {
                let event = try await events.next(isolation: actor)
                if event != nil { data.reportContact(true) }
                return event
            } catch {
                data.reportContact(error.serverAnswered)
                throw DataError(error)
            }
        }
    }
}
