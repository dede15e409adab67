import KooberKit
import PouchEntities

@MainActor
public protocol BeginRideUseCaseFactory: AnyObject {
    /// Finds out where the user is, and shows the map.
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
        if lookingForActiveRide { findActiveRide() } else { findUserLocation() }
    }

    private func findActiveRide() {
        run.perform { [rides] () async throws(ErrorMessage) in
            try await rides.activeRide()
        } then: { [self] result in
            if case .success(let ride?) = result {
                signedIn.update { $0.screen = .waitingForPickup(ride) }
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
                switch result {
                case .success(let location): $0.screen = .pickMeUp(pickupLocation: location)
                case .failure(let error): $0.errors.append(error)
                }
            }
        }
    }
}
