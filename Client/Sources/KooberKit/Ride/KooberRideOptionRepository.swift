import PouchEntities
import PouchManagers

/// What the service offers at the pick-up, with its price for the trip.
public final class KooberRideOptionRepository: RideOptionRepository {
    private let rides: RideManager
    private let scope: SessionScope

    public init(rides: RideManager, account: AccountManager, userSession: UserSession) {
        self.rides = rides
        scope = SessionScope(userSession: userSession, account: account)
    }

    /// An option without a price is left out.
    public func rideOptions(for waypoints: RideWaypoints) async throws(ErrorMessage) -> [PricedRideOption] {
        try await scope.perform("Rides could not be looked up") { () throws(DataError) in
            let options = try await rides.options(at: waypoints.pickupLocation)
            let quotes = try await rides.quotes(for: waypoints)
            return options.compactMap { option in
                quotes.first { $0.rideOptionID == option.id }.map { PricedRideOption(option: option, quote: $0) }
            }
        }
    }
}
