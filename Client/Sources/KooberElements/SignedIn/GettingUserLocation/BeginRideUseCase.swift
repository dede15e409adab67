import KooberKit
import PouchEntities

/// Finds out where the user is, and shows the map. Does nothing once that is known.
@MainActor
public protocol BeginRideUseCaseFactory: AnyObject {
    /// - Parameter lookingForActiveRide: shows the ride that is under way instead, where there is one.
    func makeBeginRideUseCase(lookingForActiveRide: Bool) -> any CancelableUseCase
}

final class BeginRideUseCase: SingleRunUseCase, Cancelable {
    let run = UseCaseRun()
    private let lookingForActiveRide: Bool
    private let rides: any NewRideRepository
    private let locationSource: any UserLocationSource
    private let signedIn: StateStore<SignedInState>

    init(
        lookingForActiveRide: Bool, rides: any NewRideRepository, locationSource: any UserLocationSource,
        signedIn: StateStore<SignedInState>
    ) {
        self.lookingForActiveRide = lookingForActiveRide
        self.rides = rides
        self.locationSource = locationSource
        self.signedIn = signedIn
    }

    func begin() {
        guard signedIn.state.screen == .gettingUserLocation else { return }
        if lookingForActiveRide { findActiveRide() } else { findUserLocation() }
    }

    private func findActiveRide() {
        run.perform { [rides] () async throws(ErrorMessage) in
            try await rides.activeRide()
        } then: { [self] result in
            if case .success(let ride?) = result {
                signedIn.update {
                    guard $0.screen == .gettingUserLocation else { return }
                    $0.screen = .waitingForPickup(ride)
                }
            } else {
                findUserLocation()
            }
        }
    }

    private func findUserLocation() {
        run.perform { [locationSource] () async throws(ErrorMessage) in
            try await locationSource.userLocation()
        } then: { [signedIn] result in
            signedIn.update {
                guard $0.screen == .gettingUserLocation else { return }
                switch result {
                case .success(let location): $0.screen = .pickMeUp(pickupLocation: location)
                case .failure(let error): $0.errors.append(error)
                }
            }
        }
    }
}
