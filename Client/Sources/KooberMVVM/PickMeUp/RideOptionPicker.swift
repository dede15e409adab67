import KooberKit
import KooberScreens
import Observation
import PouchEntities

/// The ride options for one trip.
@MainActor
@Observable
public final class RideOptionPickerViewModel {
    /// Empty until the options are loaded. At most one is selected.
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
            guard let self else { return }
            isLoading = false
            switch $0 {
            case .success(let options): segments = options.map { RideOptionSegmentViewModel(option: $0) }
            case .failure(let errorMessage): errorMessages.present(errorMessage)
            }
        }
    }

    /// Does nothing if no option has this id.
    public func select(rideOptionID: String) throws(IllegalTransition) {
        guard let option = segments.first(where: { $0.id == rideOptionID })?.option else { return }
        try rideOptionDeterminedResponder.pickUpUser(in: option)
        segments = segments.map {
            RideOptionSegmentViewModel(option: $0.option, isSelected: $0.id == rideOptionID)
        }
    }
}

/// One ride option, as its button shows it.
public struct RideOptionSegmentViewModel: Hashable, Sendable, Identifiable {
    let option: PricedRideOption
    public internal(set) var isSelected = false

    public var id: String { option.id }
    public var title: String { option.option.name }
    public var fare: Money { option.quote.fare }
    public var capacity: Int { option.option.capacity }
}

@MainActor
public protocol RideOptionDeterminedResponder: AnyObject {
    func pickUpUser(in option: PricedRideOption) throws(IllegalTransition)
}

final class RideOptionPickerViewController: ModelViewController<RideOptionPickerViewModel>, ViewController {
    override func startWork() {
        viewModel.loadRideOptions()
    }

    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] }

    var content: RideOptionPicker {
        RideOptionPicker(
            segments: viewModel.segments.map {
                RideOptionPicker.Segment(
                    id: $0.id, title: $0.title, fare: $0.fare, capacity: $0.capacity, isSelected: $0.isSelected)
            },
            isLoading: viewModel.isLoading)
    }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        guard case .selectRideOption(let id) = intention else { return }
        try viewModel.select(rideOptionID: id)
    }
}
