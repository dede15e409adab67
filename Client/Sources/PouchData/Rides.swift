import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchService
import PouchWire

extension DataManager {
    /// Well-known places that match a text, or are near a point.
    public func places(
        matching search: String? = nil, near point: GeoPoint? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<NamedLocation> {
        let query = RidePlacesQuery {
            ($0.search, $0.near, $0.page) = (search, point, PageQuery(limit: limit, cursor: cursor))
        }
        return try await page(Contract.ridePlaces, query: query)
    }

    /// The ride options at a pick-up, smallest first.
    public func rideOptions(at pickup: GeoPoint) async throws(DataError) -> Page<RideOption> {
        try await page(Contract.rideOptions, query: RideOptionsQuery { $0.pickup = pickup })
    }

    /// The fare quotes for a trip, one per available option.
    public func quotes(for waypoints: RideWaypoints) async throws(DataError) -> Page<FareQuote> {
        try await page(Contract.quoteRide, sending: QuoteRequest(waypoints: waypoints))
    }

    /// Requests a ride. While the outcome is unknown, the same call is another attempt at the same request, also in a
    /// later process.
    ///
    /// - Parameter quoteId: nil for the current fare.
    public func requestRide(
        _ waypoints: RideWaypoints, option: String, quoteId: String?
    ) async throws(DataError) -> Ride {
        let body = RideRequest(waypoints: waypoints, rideOptionID: option, quoteID: quoteId)
        return try await sendOnce(Contract.requestRide, sending: body)
    }

    /// A page of rides, newest first.
    public func rides(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Ride> {
        try await page(Contract.rides, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// - Parameter owner: the only owner that the request may be sent for; nil for the owner of the current session.
    public func ride(id: String, of owner: String? = nil) async throws(DataError) -> Ride {
        try await perform(Contract.ride, id, options: CallOptions(owner: owner))
    }

    /// Cancels a ride before the pick-up.
    public func cancelRide(id: String) async throws(DataError) -> Ride {
        try await sendOnce(Contract.cancelRide, id)
    }

    /// The receipt of a completed ride.
    public func rideReceipt(id: String) async throws(DataError) -> RideReceipt {
        try await perform(Contract.rideReceipt, id)
    }

    /// The changes of a ride as they happen. An event that cannot be read is skipped and reported as a row.
    ///
    /// - Parameters:
    ///   - lastEventId: the event to continue after, which is the number of the ride's statuses so far; empty to start
    ///     with the ride's current state.
    ///   - owner: the only owner that requests may be sent for; nil for the owner of the current session.
    public func rideEvents(of id: String, after lastEventId: String = "", owner: String? = nil) -> RideEvents {
        // A later version of the server may send other events.
        LiveEvents(
            endpoint: Contract.rideEvents.endpoint, names: ["status", "position"],
            events: service?.events(Contract.rideEvents.call(id), lastEventId: lastEventId, owner: owner), data: self)
    }
}

/// The changes of a ride as they happen: its statuses, and the driver's location and remaining time.
public typealias RideEvents = LiveEvents<RideUpdate>

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

    /// Sends the same bytes with the same key.
    public func resume(_ request: UnresolvedRideRequest) async throws(DataError) -> Ride {
        try await sendAgain(Ride.self, request.write)
    }

    /// Removes the request; the ride may still be in progress. Requesting the same ride again is then a new
    /// request.
    public func discard(_ request: UnresolvedRideRequest) async throws(DataError) {
        try await removePendingWrite(request.write)
    }
}
