import KooberKit
import KooberScreens
import PouchEntities

/// The state until the ride in progress or the user's location is found.
public struct GettingUserLocationState: Equatable, Sendable {
    public enum Progress: Equatable, Sendable {
        case lookingForActiveRide
        case locating
        case failed(ErrorToPresent)
    }

    public let scope: SerialNumber
    public internal(set) var progress = Progress.lookingForActiveRide

    var errorsToPresent: [ErrorToPresent] {
        switch progress {
        case .lookingForActiveRide, .locating: []
        case .failed(let error): [error]
        }
    }
}

public enum GettingUserLocationAction: Equatable, Sendable {
    /// - Parameter scope: the scope of the next step.
    case foundActiveRide(Ride, scope: SerialNumber)
    case foundNoActiveRide
    /// - Parameter scope: the scope of the next step.
    case foundUserLocation(GeoPoint, scope: SerialNumber)
    case failed(ErrorToPresent)
    case finishedPresenting(ErrorToPresent.ID)
}

extension Reducers {
    static func gettingUserLocation(
        _ state: GettingUserLocationState, _ action: GettingUserLocationAction
    ) -> GettingUserLocationState {
        var state = state
        switch (state.progress, action) {
        case (.lookingForActiveRide, .foundNoActiveRide): state.progress = .locating
        case (.lookingForActiveRide, .failed(let error)), (.locating, .failed(let error)):
            state.progress = .failed(error)
        case (.failed(let error), .finishedPresenting(let id)) where error.id == id:
            state.progress = .lookingForActiveRide
        default: break
        }
        return state
    }
}

// MARK: User interactions

@MainActor
struct GettingUserLocationUserInteractions {
    let actionDispatcher: any ActionDispatcher<GettingUserLocationAction>
    let newRideRepository: any NewRideRepository
    let userLocationSource: any UserLocationSource
    private let locating = LatestTask()

    /// Looks for a ride first: a user who has one is not asked for another destination.
    func findRideOrLocation() {
        locating.run { [actionDispatcher, newRideRepository, userLocationSource] in
            do throws(ErrorMessage) {
                if let ride = try await newRideRepository.activeRide() {
                    return actionDispatcher.dispatch(.foundActiveRide(ride, scope: actionDispatcher.nextSerialNumber()))
                }
                actionDispatcher.dispatch(.foundNoActiveRide)
                guard !Task.isCancelled else { return }
                let location = try await userLocationSource.userLocation()
                actionDispatcher.dispatch(.foundUserLocation(location, scope: actionDispatcher.nextSerialNumber()))
            } catch {
                actionDispatcher.dispatch(.failed(actionDispatcher.numbered(error)))
            }
        }
    }

    /// Starts again.
    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id)) { findRideOrLocation() }
    }
}

// MARK: View

final class GettingUserLocationView: StateView {
    private let state: LatestState<GettingUserLocationState>
    private let userInteractions: GettingUserLocationUserInteractions

    init(
        state: StatePublisher<GettingUserLocationState>,
        userInteractions: GettingUserLocationUserInteractions
    ) {
        self.state = LatestState(state)
        self.userInteractions = userInteractions
    }

    func appear() {
        userInteractions.findRideOrLocation()
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        guard state.value?.progress == .failed(error) else { return }
        userInteractions.finishedPresenting(error)
    }
}
