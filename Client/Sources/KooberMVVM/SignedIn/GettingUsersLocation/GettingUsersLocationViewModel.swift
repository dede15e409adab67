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

    /// Where it is unknown whether there is a ride, there is none: asking for another one will tell.
    public func findActiveRideOrUsersLocation() {
        work.call { [newRideRepository] () async throws(ErrorMessage) in
            try await newRideRepository.activeRide()
        } then: { [weak self] in
            if case .success(let ride?) = $0 {
                try? self?.activeRideFoundResponder.activeRideFound(ride)
            } else {
                self?.findUsersLocation()
            }
        }
    }

    private func findUsersLocation() {
        work.call { [userLocationSource] () async throws(ErrorMessage) in
            try await userLocationSource.userLocation()
        } then: { [weak self] in
            self?.finish($0)
        }
    }

    private func finish(_ location: Result<GeoPoint, ErrorMessage>) {
        switch location {
        case .success(let location): try? userLocationDeterminedResponder.userLocationDetermined(at: location)
        case .failure(let errorMessage):
            errorMessages.present(errorMessage) { [weak self] in self?.findUsersLocation() }
        }
    }
}
