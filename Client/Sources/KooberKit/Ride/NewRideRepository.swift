import PouchEntities

/// The rides of one user.
public protocol NewRideRepository: AnyObject, Sendable {
    /// Asks for the ride. One that was sent and not answered is the same one when it is sent again, also by a later process.
    func request(_ request: NewRideRequest) async throws(ErrorMessage) -> Ride
    /// The ride that is under way; nil where there is none. A request that an earlier process left unanswered counts.
    func activeRide() async throws(ErrorMessage) -> Ride?
    func cancel(_ ride: Ride) async throws(ErrorMessage) -> Ride
    /// The ride now and after each change, until it has ended. Also ends when the session does.
    func updates(of ride: Ride) -> AsyncThrowingStream<Ride, any Error>
}
