import PouchEntities

/// The rides of one user.
public protocol NewRideRepository: AnyObject, Sendable {
    /// Asks for the ride. One that was sent and not answered is the same one when it is sent again, also by a later process.
    /// - Returns: the ride that is under way where there is one already, which may be to elsewhere.
    func request(_ request: NewRideRequest) async throws(ErrorMessage) -> Ride
    /// The ride that is under way; nil where there is none. A request that an earlier process left unanswered counts.
    func activeRide() async throws(ErrorMessage) -> Ride?
    func cancel(_ ride: Ride) async throws(ErrorMessage) -> Ride
    /// The ride now and after each change, until it has ended: what is final here stays so. Also ends when the session does.
    /// - Throws: an `ErrorMessage`, while iterating.
    func updates(of ride: Ride) -> AsyncThrowingStream<Ride, any Error>
}
