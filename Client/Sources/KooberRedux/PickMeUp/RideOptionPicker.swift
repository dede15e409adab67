import KooberKit
import KooberScreens
import PouchEntities

/// The ride options for a drop-off, before the user selects one of them.
public struct RideOptionPickerState: Equatable, Sendable {
    public enum Progress: Equatable, Sendable {
        case loading(SerialNumber)
        case failed(ErrorToPresent)
        case offered([PricedRideOption])
    }

    public let dropoffLocation: NamedLocation
    public internal(set) var progress: Progress

    /// nil if the option is not offered.
    func selecting(_ id: RideOption.ID) -> RideDraft? {
        guard case .offered(let options) = progress else { return nil }
        return RideDraft(dropoffLocation: dropoffLocation, options: options, selecting: id)
    }

    var errorsToPresent: [ErrorToPresent] {
        guard case .failed(let error) = progress else { return [] }
        return [error]
    }
}

/// A ride that the user can confirm: one of the offered options is selected.
public struct RideDraft: Equatable, Sendable {
    public let dropoffLocation: NamedLocation
    public let options: [PricedRideOption]
    public let selected: PricedRideOption

    /// nil if the option is not offered.
    init?(dropoffLocation: NamedLocation, options: [PricedRideOption], selecting id: RideOption.ID) {
        guard let selected = options.first(where: { $0.id == id }) else { return nil }
        self.dropoffLocation = dropoffLocation
        self.options = options
        self.selected = selected
    }

    /// Returns the same trip with another option, or this one if that option is not offered.
    func selecting(_ id: RideOption.ID) -> RideDraft {
        RideDraft(dropoffLocation: dropoffLocation, options: options, selecting: id) ?? self
    }
}

/// The answers to a request for ride options.
public enum RideOptionPickerAction: Equatable, Sendable {
    case loaded([PricedRideOption], request: SerialNumber)
    case loadingFailed(ErrorToPresent, request: SerialNumber)
    case finishedPresenting(ErrorToPresent.ID)
}

extension Reducers {
    static func rideOptionPicker(
        _ state: RideOptionPickerState, _ action: RideOptionPickerAction
    ) -> RideOptionPickerState {
        var state = state
        switch (state.progress, action) {
        case (.loading(let request), .loaded(let options, let answered)) where request == answered:
            state.progress = .offered(options)
        case (.loading(let request), .loadingFailed(let error, let answered)) where request == answered:
            state.progress = .failed(error)
        case (.failed(let error), .finishedPresenting(let id)) where error.id == id:
            state.progress = .offered([])
        default: break
        }
        return state
    }
}

// MARK: User interactions

@MainActor
struct RideOptionPickerUserInteractions {
    let pickupLocation: GeoPoint
    let actionDispatcher: any ActionDispatcher<PickMeUpAction>
    let rideOptionRepository: any RideOptionRepository
    private let loading = LatestTask()

    /// Cancels loading the options for an earlier drop-off.
    func loadRideOptions(to dropoffLocation: NamedLocation) {
        let waypoints = RideWaypoints(pickupLocation: pickupLocation, dropoffLocation: dropoffLocation.location)
        loading.send(to: actionDispatcher) {
            .loadingRideOptions(dropoffLocation: dropoffLocation, request: $0)
        } call: { [rideOptionRepository] () async throws(ErrorMessage) in
            try await rideOptionRepository.rideOptions(for: waypoints)
        } success: {
            .rideOptionPicker(.loaded($0, request: $1))
        } failure: {
            .rideOptionPicker(.loadingFailed($0, request: $1))
        }
    }

    func select(_ id: RideOption.ID) {
        actionDispatcher.dispatch(.rideOptionSelected(id))
    }
}

// MARK: Screen

extension RideOptionPicker {
    init(_ state: RideOptionPickerState) {
        switch state.progress {
        case .loading: self.init(isLoading: true)
        case .failed: self.init()
        case .offered(let options): self.init(segments: options.map { Segment($0, isSelected: false) })
        }
    }

    init(_ draft: RideDraft) {
        self.init(segments: draft.options.map { Segment($0, isSelected: $0.id == draft.selected.id) })
    }
}

extension RideOptionPicker.Segment {
    fileprivate init(_ option: PricedRideOption, isSelected: Bool) {
        self.init(
            id: option.id, title: option.option.name, fare: option.quote.fare, capacity: option.option.capacity,
            isSelected: isSelected)
    }
}
