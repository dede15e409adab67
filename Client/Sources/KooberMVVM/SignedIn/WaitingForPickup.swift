import KooberKit
import KooberScreens
import Observation
import PouchEntities

/// A requested ride, until the user starts the next one.
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

    /// Keeps the ride up to date until it ends. After a failure, starts again once the user has acknowledged the error.
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

    /// - Throws: `IllegalTransition` after the pick-up, and while the ride is being cancelled.
    public func cancelRide() throws(IllegalTransition) {
        guard ride.status.isCancellable, !isCancelling else { throw IllegalTransition(from: ride.status) }
        isCancelling = true
        cancelling.call { [newRideRepository, ride] () async throws(ErrorMessage) in
            try await newRideRepository.cancel(ride)
        } then: { [weak self] in
            guard let self else { return }
            isCancelling = false
            switch $0 {
            case .success(let ride): update(ride)
            case .failure(let errorMessage): errorMessages.present(errorMessage)
            }
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
        // A late answer must neither revive the ride nor present an error.
        isCancelling = false
        cancelling.cancel()
        following.cancel()
    }
}

@MainActor
public protocol StartNewRideResponder: AnyObject {
    func startNewRide() throws(IllegalTransition)
}

final class WaitingForPickupViewController: ModelViewController<WaitingForPickupViewModel>, ViewController {
    override func startWork() {
        viewModel.followRide()
    }

    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] }

    var content: KooberScreen.Content {
        .waitingForPickup(WaitingScreen(ride: viewModel.ride, isCancelling: viewModel.isCancelling))
    }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        switch intention {
        case .cancelRide: try viewModel.cancelRide()
        case .startNewRide: try viewModel.startNewRide()
        default: break
        }
    }
}
