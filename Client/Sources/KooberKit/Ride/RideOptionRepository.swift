import PouchEntities
import PouchManagers

public protocol RideOptionRepository: AnyObject, Sendable {
    /// Returns the smallest option first, and nothing if no kangaroo is available.
    func rideOptions(for waypoints: RideWaypoints) async throws(ErrorMessage) -> [PricedRideOption]
}

/// A kind of animal with its fare for one trip.
public struct PricedRideOption: Sendable, Hashable, Identifiable {
    public let option: RideOption
    public let quote: FareQuote

    public var id: RideOption.ID { option.id }

    public init(option: RideOption, quote: FareQuote) {
        self.option = option
        self.quote = quote
    }
}

/// The options that the service offers at the pick-up location.
public final class KooberRideOptionRepository: RideOptionRepository {
    private let rides: RideManager
    private let scope: SessionScope

    public init(rides: RideManager, account: AccountManager, userSession: UserSession) {
        self.rides = rides
        scope = SessionScope(userSession: userSession, account: account)
    }

    /// Leaves out options without a fare.
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
