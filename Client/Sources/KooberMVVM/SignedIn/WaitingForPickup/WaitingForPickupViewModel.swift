import KooberKit
import Observation
import PouchEntities

/// A ride, from its request until the next one is begun.
@MainActor
@Observable
public final class WaitingForPickupViewModel {
    public private(set) var ride: Ride
    public private(set) var isCancelling = false
    public let errorMessages = ErrorMessages()
    private let newRideRepository: any NewRideRepository
    private let startNewRideResponder: any StartNewRideResponder
    private let following = LatestWork()
    private let cancelling = LatestWork()

    public init(
        ride: Ride, newRideRepository: any NewRideRepository, startNewRideResponder: any StartNewRideResponder
    ) {
        self.ride = ride
        self.newRideRepository = newRideRepository
        self.startNewRideResponder = startNewRideResponder
    }

    /// Until it has ended. Where that fails, again once the error was acknowledged.
    public func followRide() {
        guard !ride.status.isFinal else { return }
        following.follow(newRideRepository.updates(of: ride)) { [weak self] in
            self?.update($0)
        } failed: { [weak self] in
            self?.errorMessages.present(ErrorMessage($0)) { [weak self] in
                self?.followRide()
            }
        }
    }

    /// - Throws: `IllegalTransition` after the pick-up, and while it is being cancelled.
    public func cancelRide() throws(IllegalTransition) {
        guard ride.status.isCancellable, !isCancelling else { throw IllegalTransition(from: ride.status) }
        isCancelling = true
        cancelling.call { [newRideRepository, ride] () async throws(ErrorMessage) in
            try await newRideRepository.cancel(ride)
        } then: { [weak self] in
            self?.finishCancelling($0)
        }
    }

    /// - Throws: `IllegalTransition` before the ride has ended.
    public func startNewRide() throws(IllegalTransition) {
        guard ride.status.isFinal else { throw IllegalTransition(from: ride.status) }
        try startNewRideResponder.startNewRide()
    }

    private func update(_ ride: Ride) {
        self.ride = ride
        guard ride.status.isFinal else { return }
        // What is late neither revives it nor complains.
        isCancelling = false
        cancelling.cancel()
        following.cancel()
    }

    private func finishCancelling(_ result: Result<Ride, ErrorMessage>) {
        isCancelling = false
        switch result {
        case .success(let ride): update(ride)
        case .failure(let errorMessage): errorMessages.present(errorMessage)
        }
    }
}
