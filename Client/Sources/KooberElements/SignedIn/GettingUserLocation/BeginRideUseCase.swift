import KooberKit
import PouchEntities

/// Shows the ride that is under way or, where there is none, finds out where the user is and shows the map. Does nothing
/// once either is known.
@MainActor
public protocol BeginRideUseCaseFactory: AnyObject {
    func makeBeginRideUseCase() -> any CancelableUseCase
}

final class BeginRideUseCase: SingleRunUseCase, Cancelable {
    let run = UseCaseRun()
    private let rides: any NewRideRepository
    private let locationSource: any UserLocationSource
    private let signedIn: StateStore<SignedInState>

    init(
        rides: any NewRideRepository, locationSource: any UserLocationSource, signedIn: StateStore<SignedInState>
    ) {
        self.rides = rides
        self.locationSource = locationSource
        self.signedIn = signedIn
    }

    func begin() {
        guard signedIn.state.screen == .gettingUserLocation else { return }
        run.perform { [rides] () async throws(ErrorMessage) in
            try await rides.activeRide()
        } then: { [self] result in
            switch result {
            case .success(let ride?): finish { $0.screen = .waitingForPickup(ride) }
            case .success(nil): findUserLocation()
            case .failure(let error): finish { $0.errors.append(error) }
            }
        }
    }

    private func findUserLocation() {
        run.perform { [locationSource] () async throws(ErrorMessage) in
            try await locationSource.userLocation()
        } then: { [self] result in
            switch result {
            case .success(let location): finish { $0.screen = .pickMeUp(pickupLocation: location) }
            case .failure(let error): finish { $0.errors.append(error) }
            }
        }
    }

    private func finish(_ change: (inout SignedInState) -> Void) {
        signedIn.update {
            guard $0.screen == .gettingUserLocation else { return }
            change(&$0)
        }
    }
}
