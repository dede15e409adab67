import PouchContract
import PouchEntities
import PouchService

extension DataManager {
    /// Places that people know by name: what matches a text, else those near a point.
    public func places(
        matching search: String? = nil, near point: GeoPoint? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<NamedLocation> {
        let path = Path.Rides.places(
            search: search, latitude: point?.latitude, longitude: point?.longitude, limit: limit, cursor: cursor)
        return try await page(Contract.ridePlaces, .rides(path))
    }

    /// What there is to ride on at a pick-up, the smallest first.
    public func rideOptions(at pickup: GeoPoint) async throws(DataError) -> Page<RideOption> {
        try await page(
            Contract.rideOptions, .rides(.options(latitude: pickup.latitude, longitude: pickup.longitude)))
    }

    /// What a trip costs, with each option that there is.
    public func quotes(for waypoints: RideWaypoints) async throws(DataError) -> Page<FareQuote> {
        try await page(Contract.quoteRide, .rides(.quote(body: try encode(QuoteRequest(waypoints: waypoints)))))
    }

    /// Asks for a ride. While the outcome is not known, the same call again is another try of the same request, also in a
    /// later process.
    ///
    /// - Parameter quoteId: without one, the fare is that of now.
    public func requestRide(
        _ waypoints: RideWaypoints, option: String, quoteId: String?
    ) async throws(DataError) -> Ride {
        let body = RideRequest(waypoints: waypoints, rideOptionID: option, quoteID: quoteId)
        return try await once(Contract.requestRide, .requestRide, sending: body)
    }

    /// The latest first.
    public func rides(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Ride> {
        try await page(Contract.rides, .rides(.list(limit: limit, cursor: cursor)))
    }

    /// - Parameter owner: in whose name alone it is asked for; nil for whoever is signed in.
    public func ride(id: String, of owner: String? = nil) async throws(DataError) -> Ride {
        try await perform(Contract.ride, .rides(.ride(id: id)), CallOptions(owner: owner))
    }

    /// Before the pick-up.
    public func cancelRide(id: String) async throws(DataError) -> Ride {
        try await once(Contract.cancelRide, .cancelRide, id)
    }

    /// What a completed ride came to.
    public func rideReceipt(id: String) async throws(DataError) -> RideReceipt {
        try await perform(Contract.rideReceipt, .rides(.receipt(id: id)))
    }

    /// What becomes of a ride, as it happens. An event that cannot be read is reported as a row and left out.
    ///
    /// - Parameters:
    ///   - lastEventId: behind which event to begin; empty for the ride as it is now.
    ///   - owner: in whose name alone it is asked for; nil for whoever is signed in.
    public func rideEvents(
        of id: String, after lastEventId: String = "", owner: String? = nil
    ) -> RideEvents {
        RideEvents(
            events: service?.events(.rides(.events(id: id)), lastEventId: lastEventId, owner: owner),
            contact: contact, reportRow: reportRow)
    }
}
