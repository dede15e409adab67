import KooberKit
import KooberMVVMCore
import KooberScreens

/// Finds the ride in progress or, without one, the user's location, and publishes the stage that follows.
@MainActor
public final class GettingUsersLocationViewModel {
    private let newRideRepository: any NewRideRepository
    private let userLocationSource: any UserLocationSource
    private let publisher: SignedInViewPublisher
    private let errorMessages: ErrorMessages
    private let finding = LatestTask()

    /// Starts immediately.
    public init(
        newRideRepository: any NewRideRepository, userLocationSource: any UserLocationSource,
        publisher: SignedInViewPublisher, errorMessages: ErrorMessages
    ) {
        self.newRideRepository = newRideRepository
        self.userLocationSource = userLocationSource
        self.publisher = publisher
        self.errorMessages = errorMessages
        findRideOrLocation()
    }

    /// Looks for a ride first: a user with a ride is not asked for another destination.
    private func findRideOrLocation() {
        finding.run(for: self) { [newRideRepository, userLocationSource] current in
            do throws(ErrorMessage) {
                if let ride = try await newRideRepository.activeRide() {
                    current()?.publisher.view = .waitingForPickup(ride)
                } else if current() != nil {
                    let location = try await userLocationSource.userLocation()
                    current()?.publisher.view = .pickMeUp(pickupLocation: location)
                }
            } catch {
                current()?.present(error)
            }
        }
    }

    /// Starts again once the user has acknowledged the error.
    private func present(_ errorMessage: ErrorMessage) {
        errorMessages.present(errorMessage) { [weak self] in self?.findRideOrLocation() }
    }
}

package final class GettingUsersLocationViewController: ScreenView {
    private let viewModel: GettingUsersLocationViewModel

    package init(viewModel: GettingUsersLocationViewModel, in display: any Display) {
        self.viewModel = viewModel
        super.init(in: display)
        display.show(.gettingUserLocation)
    }
}
