import PouchContract
import PouchEntities
import PouchService

extension DataManager {
    public func places(
        matching search: String? = nil, near point: GeoPoint? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<NamedLocation> {
        let path = Path.Rides.places(
            search: search, latitude: point?.latitude, longitude: point?.longitude, limit: limit, cursor: cursor)
        return try await page(Contract.ridePlaces, .rides(path))
    }

    public func rideOptions(at pickup: GeoPoint) async throws(DataError) -> Page<RideOption> {
        try await page(
            Contract.rideOptions, .rides(.options(latitude: pickup.latitude, longitude: pickup.longitude)))
    }

    public func quotes(for waypoints: RideWaypoints) async throws(DataError) -> Page<FareQuote> {
        try await page(Contract.quoteRide, .rides(.quote(body: try encode(QuoteRequest(waypoints: waypoints)))))
    }

    /// While the outcome is unknown, the same call is another try of the same request, also in a later process.
    public func requestRide(
        _ waypoints: RideWaypoints, option: String, quoteId: String?
    ) async throws(DataError) -> Ride {
        let body = RideRequest(waypoints: waypoints, rideOptionID: option, quoteID: quoteId)
        return try await sendOnce(Contract.requestRide, .requestRide, sending: body)
    }

    public func rides(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Ride> {
        try await page(Contract.rides, .rides(.list(limit: limit, cursor: cursor)))
    }

    /// - Parameter owner: the only owner that the request may be sent for; nil for the owner of the current session.
    public func ride(id: String, of owner: String? = nil) async throws(DataError) -> Ride {
        try await perform(Contract.ride, .rides(.ride(id: id)), CallOptions(owner: owner))
    }

    public func cancelRide(id: String) async throws(DataError) -> Ride {
        try await sendOnce(Contract.cancelRide, .cancelRide, id)
    }

    public func rideReceipt(id: String) async throws(DataError) -> RideReceipt {
        try await perform(Contract.rideReceipt, .rides(.receipt(id: id)))
    }

    /// - Parameters:
    ///   - lastEventId: the event to continue after; empty to start with the ride's current state.
    ///   - owner: as in `ride`.
    public func rideEvents(
        of id: String, after lastEventId: String = "", owner: String? = nil
    ) -> RideEvents {
        RideEvents(
            events: service?.events(.rides(.events(id: id)), lastEventId: lastEventId, owner: owner), data: self)
    }
}
