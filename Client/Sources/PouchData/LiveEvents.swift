import PouchContract
import PouchEntities
import PouchJSON
import PouchService
import PouchWire

/// The changes of a ride or an order as they happen.
///
///     for try await update in data.rideEvents(of: ride.id) { show(update) }
///
/// The sequence survives lost connections and server outages. It ends after the last event, or when the reading task
/// is cancelled. Each iterator has its own connection. An event that cannot be read is skipped and reported as a row.
public struct LiveEvents<Update: JSONCodable>: AsyncSequence, Sendable {
    let endpoint: Endpoint
    /// The names of the events that hold an update. Others are ignored.
    let names: Set<String>
    /// nil for a shop that is a feed.
    let events: ServiceEventStream?
    let data: DataManager
    /// Called with each update before it is returned.
    var note: @Sendable (Update) async -> Void = { _ in }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: events?.makeAsyncIterator(), source: self)
    }

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate var events: ServiceEventStream.AsyncIterator?
        fileprivate let source: LiveEvents
        fileprivate var count = 0

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(DataError) -> Update? {
            while let event = try await nextRaw(isolation: actor) {
                defer { count += 1 }
                guard source.names.contains(event.name) else { continue }
                do {
                    let update = try Update(json: event.data)
                    await source.note(update)
                    return update
                } catch {
                    source.data.reportRow(
                        RowReport(
                            list: source.endpoint.name, row: count, reason: RowReport.reason(error), requestId: nil))
                }
            }
            return nil
        }

        private mutating func nextRaw(isolation actor: isolated (any Actor)?) async throws(DataError) -> ServiceEvent? {
            guard var events else { throw DataError(.notOffered, log: source.endpoint.name) }
            defer { self.events = events }
            do throws(ServiceError) {
                let event = try await events.next(isolation: actor)
                if event != nil { source.data.contact.report(true) }
                return event
            } catch {
                source.data.contact.report(error.serverAnswered)
                throw DataError(error)
            }
        }
    }
}
