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
        if let wanted { select(rideOptionID: wanted) }
    }

    private func fail(_ errorMessage: ErrorMessage) {
        isLoading = false
        errorMessages.present(errorMessage)
    }

    /// - Returns: false if no option has this id, or if the step is not possible now.
    @discardableResult
    public func select(rideOptionID: RideOption.ID) -> Bool {
        guard let option = options.first(where: { $0.id == rideOptionID }),
            rideOptionDeterminedResponder?.pickUpUser(in: option) != false
        else { return false }
        selected = rideOptionID
        return true
    }
}

@MainActor
public protocol RideOptionDeterminedResponder: AnyObject {
    /// - Returns: false if the step is not possible now.
    @discardableResult
    func pickUpUser(in option: PricedRideOption) -> Bool
}

/// Shown by its parent, as a part of the map's screen.
package final class RideOptionPickerViewController: ScreenView {
    private let viewModel: RideOptionPickerViewModel

    package init(viewModel: RideOptionPickerViewModel, in display: any Display) {
        self.viewModel = viewModel
        super.init(in: display)
    }

    var picker: RideOptionPicker {
        RideOptionPicker(viewModel.options, selected: viewModel.selected, isLoading: viewModel.isLoading)
    }

    package override func perform(_ intention: Intention) {
        guard case .selectRideOption(let id) = intention else { return }
        viewModel.select(rideOptionID: id)
    }
}
