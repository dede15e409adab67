import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchService
import PouchWire

extension DataManager {
    /// Well-known places: those that match a text, or those near a point.
    public func places(
        matching search: String? = nil, near point: GeoPoint? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<NamedLocation> {
        let path = Path.Rides.places(
            search: search, latitude: point?.latitude, longitude: point?.longitude, limit: limit, cursor: cursor)
        return try await page(Contract.ridePlaces, .rides(path))
    }

    /// The ride options at a pick-up, smallest first.
    public func rideOptions(at pickup: GeoPoint) async throws(DataError) -> Page<RideOption> {
        try await page(
            Contract.rideOptions, .rides(.options(latitude: pickup.latitude, longitude: pickup.longitude)))
    }

    /// The fare quotes for a trip, one per available option.
    public func quotes(for waypoints: RideWaypoints) async throws(DataError) -> Page<FareQuote> {
        try await page(Contract.quoteRide, .rides(.quote(body: try encode(QuoteRequest(waypoints: waypoints)))))
    }

    /// Requests a ride. While the outcome is unknown, the same call is another try of the same request, also in a later
    /// process.
    ///
    /// - Parameter quoteId: nil for the current fare.
    public func requestRide(
        _ waypoints: RideWaypoints, option: String, quoteId: String?
    ) async throws(DataError) -> Ride {
        let body = RideRequest(waypoints: waypoints, rideOptionID: option, quoteID: quoteId)
        return try await sendOnce(Contract.requestRide, .requestRide, sending: body)
    }

    /// A page of rides, newest first.
    public func rides(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Ride> {
        try await page(Contract.rides, .rides(.list(limit: limit, cursor: cursor)))
    }

    /// - Parameter owner: the only owner that the request may be sent for; nil for the owner of the current session.
    public func ride(id: String, of owner: String? = nil) async throws(DataError) -> Ride {
        try await perform(Contract.ride, .rides(.ride(id: id)), CallOptions(owner: owner))
    }

    /// Cancels a ride before the pick-up.
    public func cancelRide(id: String) async throws(DataError) -> Ride {
        try await sendOnce(Contract.cancelRide, .cancelRide, id)
    }

    /// The receipt of a completed ride.
    public func rideReceipt(id: String) async throws(DataError) -> RideReceipt {
        try await perform(Contract.rideReceipt, .rides(.receipt(id: id)))
    }

    /// The changes of a ride as they happen. An event that cannot be read is left out and reported as a row.
    ///
    /// - Parameters:
    ///   - lastEventId: the event to continue after, which is the number of statuses that the ride has had; empty to
    ///     start with the ride's current state.
    ///   - owner: the only owner that requests may be sent for; nil for the owner of the current session.
    public func rideEvents(
        of id: String, after lastEventId: String = "", owner: String? = nil
    ) -> RideEvents {
        RideEvents(
            events: service?.events(.rides(.events(id: id)), lastEventId: lastEventId, owner: owner), data: self)
    }
}

/// The changes of a ride as they happen: its statuses, and the driver's location and remaining time.
///
///     for try await update in data.rideEvents(of: ride.id) { show(update) }
///
/// The sequence survives broken connections and an absent server. It ends after the ride's last event, or when the
/// reading task is cancelled. Each iterator has its own connection.
public struct RideEvents: AsyncSequence, Sendable {
    /// A later version of the server may send other events.
    private static let known = ["status", "position"]

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

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(DataError) -> RideUpdate? {
            while let event = try await nextRaw(isolation: actor) {
                defer { count += 1 }
                guard RideEvents.known.contains(event.name) else { continue }
                do {
                    return try RideUpdate(json: event.data)
                } catch {
                    let list = Contract.rideEvents.endpoint.name
                    data.reportRow(RowReport(list: list, row: count, reason: RowReport.reason(error), requestId: nil))
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
                if event != nil { data.contact.report(true) }
                return event
            } catch {
                data.contact.report(error.serverAnswered)
                throw DataError(error)
            }
        }
    }
}

/// A request for a ride that may or may not have reached the server.
public struct UnresolvedRideRequest: Sendable, Hashable, Identifiable {
    fileprivate let write: PendingWrite
    public let waypoints: RideWaypoints
    /// The id of the ride option.
    public let rideOptionID: String

    public var id: String { write.key }
    public var startedAt: Date { write.firstSentAt ?? write.createdAt }

    /// A request for previews and tests. No manager knows it.
    ///
    /// - Parameter id: the idempotency key.
    public init(id: String, waypoints: RideWaypoints, rideOptionID: String, startedAt: Date) {
        write = PendingWrite(
            key: id, owner: UserSession.signedOutOwner, kind: .requestRide, createdAt: startedAt,
            firstSentAt: startedAt)
        self.waypoints = waypoints
        self.rideOptionID = rideOptionID
    }

    fileprivate init?(_ write: PendingWrite) {
        guard let body = write.body.flatMap({ try? RideRequest(json: $0) }) else { return nil }
        self.write = write
        waypoints = body.waypoints
        rideOptionID = body.rideOptionID
    }
}

extension DataManager {
    /// The owner's unresolved ride requests, oldest first, without those that are too old to be sent again.
    public func unresolvedRideRequests(of owner: String) async throws(DataError) -> [UnresolvedRideRequest] {
        let now = now()
        return try await mappingStoreErrors(await store.pendingWrites(of: owner))
            .filter { $0.kind == .requestRide && $0.mayBeSent(at: now) }.compactMap(UnresolvedRideRequest.init)
    }

    /// Sends the same bytes under the same key.
    public func resume(_ request: UnresolvedRideRequest) async throws(DataError) -> Ride {
        try await send(Ride.self, request.write, isRepeat: true)
    }

    /// Removes the request; the ride may be in progress all the same. Requesting the same ride again is then a new
    /// request.
    public func giveUp(_ request: UnresolvedRideRequest) async throws(DataError) {
        try await removePendingWrite(request.write)
    }
}
