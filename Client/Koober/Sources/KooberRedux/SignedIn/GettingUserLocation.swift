import Foundation
import KooberKit
import KooberScreens
import PouchEntities

/// The state until the ride in progress or the user's location is found.
public enum GettingUserLocationState: Codable, Equatable, Sendable {
    case lookingForActiveRide
    case locating
    /// Waits until the user has acknowledged this error, then starts again.
    case failed(ErrorMessage.ID)

    /// Looks for a ride first: a user with a ride is not asked for another destination.
    public var effects: Set<GettingUserLocationEffect> {
        switch self {
        case .lookingForActiveRide: [.findActiveRide]
        case .locating: [.findUserLocation]
        case .failed: []
        }
    }
}

public enum GettingUserLocationAction: Codable, Equatable, Sendable {
    case foundActiveRide(Ride)
    case foundNoActiveRide
    case foundUserLocation(GeoPoint)
    case failed(ErrorMessage)
}

public enum GettingUserLocationEffect: Codable, Hashable, Sendable {
    case findActiveRide
    case findUserLocation
}

extension Reducers {
    /// Handles all actions except a found ride or location, which leads to the next stage.
    static func gettingUserLocation(
        _ state: inout GettingUserLocationState, _ action: GettingUserLocationAction, errors: inout [ErrorMessage]
    ) {
        switch (state, action) {
        case (.lookingForActiveRide, .foundNoActiveRide): state = .locating
        case (.lookingForActiveRide, .failed(let error)), (.locating, .failed(let error)):
            state = .failed(error.id)
            errors.append(error)
        default: break
        }
    }
}

// MARK: User interactions

/// The search for the location. The user can only wait for it.
@MainActor
public protocol GettingUserLocationUserInteractions: AnyObject {}

final class ReduxGettingUserLocationUserInteractions: GettingUserLocationUserInteractions {
    private let effects: EffectRunner<GettingUserLocationEffect>

    init(
        state: StatePublisher<GettingUserLocationState>,
        actionDispatcher: any ActionDispatcher<GettingUserLocationAction>,
        newRideRepository: any NewRideRepository, userLocationSource: any UserLocationSource
    ) {
        effects = EffectRunner(state.select(\.effects), to: actionDispatcher) { effect, dispatch in
            do throws(ErrorMessage) {
                switch effect {
                case .findActiveRide:
                    let ride = try await newRideRepository.activeRide()
                    dispatch(ride.map { .foundActiveRide($0) } ?? .foundNoActiveRide)
                case .findUserLocation:
                    dispatch(.foundUserLocation(try await userLocationSource.userLocation()))
                }
            } catch {
                dispatch(.failed(error))
            }
        }
    }
}

// MARK: View

final class GettingUserLocationView: StateView {
    private let userInteractions: any GettingUserLocationUserInteractions

    init(userInteractions: any GettingUserLocationUserInteractions, in display: any Display) {
        self.userInteractions = userInteractions
        super.init(in: display)
        display.show(.gettingUserLocation)
    }
}
