import KooberKit
import KooberScreens
import PouchEntities

/// The ride options for a drop-off.
public struct RideOptionPickerState: Codable, Equatable, Sendable {
    public let dropoffLocation: NamedLocation
    /// nil while they are being loaded; also empty if that failed.
    public var options: [PricedRideOption]?
    /// The selected option, which may not be offered yet.
    public var selectedID: RideOption.ID?

    public init(to dropoffLocation: NamedLocation, selecting id: RideOption.ID? = nil) {
        self.dropoffLocation = dropoffLocation
        selectedID = id
    }

    /// nil until the user has selected an offered option.
    public var selected: PricedRideOption? { options?.first { $0.id == selectedID } }
}

public enum RideOptionPickerAction: Codable, Equatable, Sendable {
    case loaded([PricedRideOption])
    case selected(RideOption.ID)
}

extension Reducers {
    static func rideOptionPicker(_ state: inout RideOptionPickerState, _ action: RideOptionPickerAction) {
        switch action {
        case .loaded(let options): if state.options == nil { state.options = options }
        case .selected(let id):
            if state.options?.contains(where: { $0.id == id }) == true { state.selectedID = id }
        }
    }
}

// MARK: User interactions

@MainActor
public protocol RideOptionPickerUserInteractions: AnyObject {
    func selectRideOption(_ id: RideOption.ID)
}

extension ReduxPickMeUpUserInteractions: RideOptionPickerUserInteractions {
    func selectRideOption(_ id: RideOption.ID) { actionDispatcher.dispatch(.rideOptionPicker(.selected(id))) }
}

extension RideOptionPicker {
    init(_ state: RideOptionPickerState) {
        self.init(state.options ?? [], selected: state.selectedID, isLoading: state.options == nil)
    }
}
