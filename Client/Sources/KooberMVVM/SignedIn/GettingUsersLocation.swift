import KooberKit
import KooberScreens
import PouchEntities

/// Finds the ride in progress or, without one, the user's location.
@MainActor
public final class GettingUsersLocationViewModel {
    public let errorMessages = ErrorMessages()
    private let newRideRepository: any NewRideRepository
    private let userLocationSource: any UserLocationSource
    private let activeRideFoundResponder: any ActiveRideFoundResponder
    private let userLocationDeterminedResponder: any UserLocationDeterminedResponder
    private let work = LatestWork()

    public init(
        newRideRepository: any NewRideRepository,
        userLocationSource: any UserLocationSource,
        activeRideFoundResponder: any ActiveRideFoundResponder,
        userLocationDeterminedResponder: any UserLocationDeterminedResponder
    ) {
        self.newRideRepository = newRideRepository
        self.userLocationSource = userLocationSource
        self.activeRideFoundResponder = activeRideFoundResponder
        self.userLocationDeterminedResponder = userLocationDeterminedResponder
    }

    /// Looks for a ride first: a user who has one is not asked for another destination.
    public func findActiveRideOrUsersLocation() {
        work.call { [newRideRepository] () async throws(ErrorMessage) in
            try await newRideRepository.activeRide()
        } then: { [weak self] in
            guard let self else { return }
            switch $0 {
            case .success(let ride?): try? activeRideFoundResponder.activeRideFound(ride)
            case .success(nil): findUsersLocation()
            case .failure(let errorMessage): present(errorMessage)
            }
        }
    }

    private func findUsersLocation() {
        work.call { [userLocationSource] () async throws(ErrorMessage) in
            try await userLocationSource.userLocation()
        } then: { [weak self] in
            guard let self else { return }
            switch $0 {
            case .success(let location):
                try? userLocationDeterminedResponder.userLocationDetermined(at: location)
            case .failure(let errorMessage): present(errorMessage)
            }
        }
    }

    /// Starts again once the user has acknowledged the error.
    private func present(_ errorMessage: ErrorMessage) {
        errorMessages.present(errorMessage) { [weak self] in self?.findActiveRideOrUsersLocation() }
    }
}

@MainActor
public protocol ActiveRideFoundResponder: AnyObject {
    func activeRideFound(_ ride: Ride) throws(IllegalTransition)
}

@MainActor
public protocol UserLocationDeterminedResponder: AnyObject {
    func userLocationDetermined(at pickupLocation: GeoPoint) throws(IllegalTransition)
}

final class GettingUsersLocationViewController: ModelViewController<GettingUsersLocationViewModel>, ViewController {
    override func startWork() {
        viewModel.findActiveRideOrUsersLocation()
    }

    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] }
    var content: KooberScreen.Content { .gettingUserLocation }
}
