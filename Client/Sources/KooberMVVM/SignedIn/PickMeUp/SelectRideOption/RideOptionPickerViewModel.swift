import KooberKit
import Observation
import PouchEntities

/// What there is to ride on for one trip.
@MainActor
@Observable
public final class RideOptionPickerViewModel {
    /// Empty until they are loaded; at most one is selected.
    public private(set) var segments: [RideOptionSegmentViewModel] = []
    public private(set) var isLoading = false
    public let errorMessages = ErrorMessages()
    private let waypoints: RideWaypoints
    private let rideOptionRepository: any RideOptionRepository
    private let rideOptionDeterminedResponder: any RideOptionDeterminedResponder
    private let loading = LatestWork()

    public init(
        waypoints: RideWaypoints,
        rideOptionRepository: any RideOptionRepository,
        rideOptionDeterminedResponder: any RideOptionDeterminedResponder
    ) {
        self.waypoints = waypoints
        self.rideOptionRepository = rideOptionRepository
        self.rideOptionDeterminedResponder = rideOptionDeterminedResponder
    }

    public func loadRideOptions() {
        isLoading = true
        loading.call { [rideOptionRepository, waypoints] () async throws(ErrorMessage) in
            try await rideOptionRepository.rideOptions(for: waypoints)
        } then: { [weak self] in
            self?.finish($0)
        }
    }

    /// Does nothing where there is no such option.
    public func select(rideOptionID: String) throws(IllegalTransition) {
        guard let option = segments.first(where: { $0.id == rideOptionID })?.option else { return }
        try rideOptionDeterminedResponder.pickUpUser(in: option)
        segments = segments.map {
            RideOptionSegmentViewModel(option: $0.option, isSelected: $0.id == rideOptionID)
        }
    }

    private func finish(_ options: Result<[PricedRideOption], ErrorMessage>) {
        isLoading = false
        switch options {
        case .success(let options): segments = options.map { RideOptionSegmentViewModel(option: $0) }
        case .failure(let errorMessage): errorMessages.present(errorMessage)
        }
    }
}
