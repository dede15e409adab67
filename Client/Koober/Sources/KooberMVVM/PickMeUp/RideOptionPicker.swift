import KooberKit
import KooberMVVMCore
import KooberScreens
import Observation
import PouchEntities

/// The ride options for one trip, and then for the next.
@MainActor
@Observable
public final class RideOptionPickerViewModel {
    /// Empty until the options are loaded.
    public private(set) var options: [PricedRideOption] = []
    public private(set) var selected: RideOption.ID?
    public private(set) var isLoading = false
    /// Its responder loads the options with this view model, and so retains it.
    public weak var rideOptionDeterminedResponder: (any RideOptionDeterminedResponder)?
    private let rideOptionRepository: any RideOptionRepository
    private let errorMessages: ErrorMessages
    private let loading = LatestTask()

    public init(rideOptionRepository: any RideOptionRepository, errorMessages: ErrorMessages) {
        self.rideOptionRepository = rideOptionRepository
        self.errorMessages = errorMessages
    }

    /// Replaces the options of the previous trip.
    ///
    /// - Parameter wanted: selected as soon as it is offered.
    public func loadRideOptions(for waypoints: RideWaypoints, selecting wanted: RideOption.ID? = nil) {
        options = []
        selected = nil
        isLoading = true
        loading.run(for: self) { [rideOptionRepository] current in
            do throws(ErrorMessage) {
                let options = try await rideOptionRepository.rideOptions(for: waypoints)
                current()?.show(options, selecting: wanted)
            } catch {
                current()?.fail(error)
            }
        }
    }

    private func show(_ options: [PricedRideOption], selecting wanted: RideOption.ID?) {
        isLoading = false
        self.options = options
        if let wanted { try? select(rideOptionID: wanted) }
    }

    private func fail(_ errorMessage: ErrorMessage) {
        isLoading = false
        errorMessages.present(errorMessage)
    }

    /// Does nothing if no option has this id.
    public func select(rideOptionID: RideOption.ID) throws(IllegalTransition) {
        guard let option = options.first(where: { $0.id == rideOptionID }) else { return }
        try rideOptionDeterminedResponder?.pickUpUser(in: option)
        selected = rideOptionID
    }
}

@MainActor
public protocol RideOptionDeterminedResponder: AnyObject {
    func pickUpUser(in option: PricedRideOption) throws(IllegalTransition)
}

/// Shown by its parent, as a part of the map's screen.
package final class RideOptionPickerViewController: ScreenView {
    private let viewModel: RideOptionPickerViewModel

    package init(viewModel: RideOptionPickerViewModel, in display: any Display) {
        self.viewModel = viewModel
        super.init(in: display)
    }

    var picker: RideOptionPicker {
        RideOptionPicker(
            options: viewModel.options.map {
                DisplayableRideOption($0.option, $0.quote, isSelected: $0.id == viewModel.selected)
            },
            isLoading: viewModel.isLoading)
    }

    package override func perform(_ intention: Intention) {
        guard case .selectRideOption(let id) = intention else { return }
        try? viewModel.select(rideOptionID: id)
    }
}
