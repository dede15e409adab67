import KooberKit
import KooberMVVMCore
import KooberScreens
import Observation
import PouchEntities

/// A requested ride, until the user starts the next one.
@MainActor
@Observable
public final class WaitingForPickupViewModel {
    public private(set) var ride: Ride
    public private(set) var isCancelling = false
    private let newRideRepository: any NewRideRepository
    private let publisher: SignedInViewPublisher
    private let errorMessages: ErrorMessages
    private let following = LatestTask()
    private let cancelling = LatestTask()

    /// Starts to follow the ride.
    public init(
        ride: Ride, newRideRepository: any NewRideRepository, publisher: SignedInViewPublisher,
        errorMessages: ErrorMessages
    ) {
        self.ride = ride
        self.newRideRepository = newRideRepository
        self.publisher = publisher
        self.errorMessages = errorMessages
        followRide()
    }

    /// Keeps the ride up to date until it ends. After a failure, starts again once the user has acknowledged the error.
    private func followRide() {
        guard !ride.status.isFinal else { return }
        following.run(for: self) { [newRideRepository, ride] current in
            do {
                for try await ride in newRideRepository.updates(of: ride.id) { current()?.update(ride) }
            } catch {
                current()?.presentInterruption(ErrorMessage(error))
            }
        }
    }

    private func presentInterruption(_ errorMessage: ErrorMessage) {
        errorMessages.present(errorMessage) { [weak self] in self?.followRide() }
    }

    /// Does nothing after the pick-up, and while the ride is being cancelled.
    public func cancelRide() {
        guard ride.status.isCancellable, !isCancelling else { return }
        isCancelling = true
        cancelling.run(for: self) { [newRideRepository, ride] current in
            do throws(ErrorMessage) {
                let cancelled = try await newRideRepository.cancel(ride.id)
                current()?.finishCancelling { $0.update(cancelled) }
            } catch {
                current()?.finishCancelling { $0.errorMessages.present(error) }
            }
        }
    }

    private func finishCancelling(_ finish: (WaitingForPickupViewModel) -> Void) {
        isCancelling = false
        finish(self)
    }

    /// Publishes the first stage again. Does nothing before the ride has ended.
    public func startNewRide() {
        if ride.status.isFinal { publisher.view = .gettingUsersLocation }
    }

    private func update(_ ride: Ride) {
        self.ride = ride
        guard ride.status.isFinal else { return }
        // A late response must neither restore the ride nor present an error.
        isCancelling = false
        cancelling.cancel()
        following.cancel()
    }
}

package final class WaitingForPickupViewController: ScreenView {
    private let viewModel: WaitingForPickupViewModel

    package init(viewModel: WaitingForPickupViewModel, in display: any Display) {
        self.viewModel = viewModel
        super.init(in: display)
        bind({ WaitingScreen(ride: viewModel.ride, isCancelling: viewModel.isCancelling) }) {
            display.show(.waitingForPickup($0))
        }
    }

    package override func perform(_ intention: Intention) {
        switch intention {
        case .cancelRide: viewModel.cancelRide()
        case .startNewRide: viewModel.startNewRide()
        default: break
        }
    }
}
