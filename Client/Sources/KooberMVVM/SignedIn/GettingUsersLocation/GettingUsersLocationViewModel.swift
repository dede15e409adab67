import KooberKit
import PouchEntities

/// Finds out where the user is, unless they have a ride already.
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

    /// Nobody is asked where to go before it is known that they have no ride.
    public func findActiveRideOrUsersLocation() {
        work.call { [newRideRepository] () async throws(ErrorMessage) in
            try await newRideRepository.activeRide()
        } then: { [weak self] in
            switch $0 {
            case .success(let ride?): try? self?.activeRideFoundResponder.activeRideFound(ride)
            case .success(nil): self?.findUsersLocation()
            case .failure(let errorMessage): self?.present(errorMessage)
            }
        }
    }

    private func findUsersLocation() {
        work.call { [userLocationSource] () async throws(ErrorMessage) in
            try await userLocationSource.userLocation()
        } then: { [weak self] in
            switch $0 {
            case .success(let location):
                try? self?.userLocationDeterminedResponder.userLocationDetermined(at: location)
            case .failure(let errorMessage): self?.present(errorMessage)
            }
        }
    }

    /// Once it was read, all is tried again.
    private func present(_ errorMessage: ErrorMessage) {
        errorMessages.present(errorMessage) { [weak self] in self?.findActiveRideOrUsersLocation() }
    }
}
