import KooberKit
import PouchEntities

/// The state of the open drop-off picker.
public struct DropoffLocationPickerState: Equatable, Sendable {
    public internal(set) var query = ""
    /// The results of the last answered search, which stay during the next one.
    public internal(set) var results: [NamedLocation] = []
    /// The latest search; nil once it is answered.
    public internal(set) var search: SerialNumber?
    public internal(set) var errors: [ErrorToPresent] = []
}

public enum DropoffLocationPickerAction: Equatable, Sendable {
    case searching(query: String, request: SerialNumber)
    case found([NamedLocation], request: SerialNumber)
    case searchFailed(ErrorToPresent, request: SerialNumber)
}

extension Reducers {
    static func dropoffLocationPicker(
        _ state: DropoffLocationPickerState, _ action: DropoffLocationPickerAction
    ) -> DropoffLocationPickerState {
        var state = state
        switch action {
        case .searching(let query, let request):
            state.query = query
            state.search = request
        case .found(let results, state.search):
            state.results = results
            state.search = nil
        case .searchFailed(let error, state.search):
            state.errors.append(error)
            state.search = nil
        case .found, .searchFailed: break
        }
        return state
    }
}

// MARK: User interactions

@MainActor
struct DropoffLocationPickerUserInteractions {
    let pickupLocation: GeoPoint
    let actionDispatcher: any ActionDispatcher<PickMeUpAction>
    let locationRepository: any LocationRepository
    let rideOptionPicker: RideOptionPickerUserInteractions
    private let searching = LatestTask()

    func goToDropoffLocationPicker() {
        find("") { .goToDropoffLocationPicker(request: $0) }
    }

    /// Cancels earlier searches.
    func search(using query: String) {
        find(query) { .dropoffLocationPicker(.searching(query: query, request: $0)) }
    }

    func select(_ location: NamedLocation) {
        searching.cancel()
        rideOptionPicker.loadRideOptions(to: location)
    }

    func close() {
        searching.cancel()
        actionDispatcher.dispatch(.closedDropoffLocationPicker)
    }

    private func find(_ query: String, _ progress: (SerialNumber) -> PickMeUpAction) {
        searching.send(to: actionDispatcher, progress) {
            [pickupLocation, locationRepository] () async throws(ErrorMessage) in
            try await locationRepository.searchForLocations(using: query, near: pickupLocation)
        } success: {
            .dropoffLocationPicker(.found($0, request: $1))
        } failure: {
            .dropoffLocationPicker(.searchFailed($0, request: $1))
        }
    }
}
