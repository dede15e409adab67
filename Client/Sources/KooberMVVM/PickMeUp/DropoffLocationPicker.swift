import KooberKit
import KooberScreens
import Observation
import PouchEntities

/// The search for a drop-off location.
@MainActor
@Observable
public final class DropoffLocationPickerViewModel {
    /// The text of the last search; empty for the places nearby.
    public private(set) var query = ""
    /// The results of the last successful search. They stay while the next search runs.
    public private(set) var searchResults: [NamedLocation] = []
    public private(set) var isSearching = false
    public let errorMessages = ErrorMessages()
    private let pickupLocation: GeoPoint
    private let locationRepository: any LocationRepository
    private let dropoffLocationDeterminedResponder: any DropoffLocationDeterminedResponder
    private let cancelDropoffLocationSelectionResponder: any CancelDropoffLocationSelectionResponder
    private let searching = LatestWork()

    public init(
        pickupLocation: GeoPoint,
        locationRepository: any LocationRepository,
        dropoffLocationDeterminedResponder: any DropoffLocationDeterminedResponder,
        cancelDropoffLocationSelectionResponder: any CancelDropoffLocationSelectionResponder
    ) {
        self.pickupLocation = pickupLocation
        self.locationRepository = locationRepository
        self.dropoffLocationDeterminedResponder = dropoffLocationDeterminedResponder
        self.cancelDropoffLocationSelectionResponder = cancelDropoffLocationSelectionResponder
    }

    /// Searches, and cancels the search before.
    public func search(for query: String) {
        self.query = query
        isSearching = true
        searching.call { [locationRepository, pickupLocation] () async throws(ErrorMessage) in
            try await locationRepository.searchForLocations(using: query, near: pickupLocation)
        } then: { [weak self] in
            guard let self else { return }
            isSearching = false
            switch $0 {
            case .success(let found): searchResults = found
            case .failure(let errorMessage): errorMessages.present(errorMessage)
            }
        }
    }

    public func select(dropoffLocation: NamedLocation) throws(IllegalTransition) {
        try dropoffLocationDeterminedResponder.dropOffUser(at: dropoffLocation)
    }

    public func cancel() throws(IllegalTransition) {
        try cancelDropoffLocationSelectionResponder.cancelDropoffLocationSelection()
    }
}

@MainActor
public protocol DropoffLocationDeterminedResponder: AnyObject {
    func dropOffUser(at dropoffLocation: NamedLocation) throws(IllegalTransition)
}

@MainActor
public protocol CancelDropoffLocationSelectionResponder: AnyObject {
    func cancelDropoffLocationSelection() throws(IllegalTransition)
}

final class DropoffLocationPickerViewController: ModelViewController<DropoffLocationPickerViewModel>, ViewController {
    override func startWork() {
        viewModel.search(for: "")
    }

    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] }

    var content: PickMeUpScreen.Step {
        .selectDropoffLocation(
            DropoffPicker(
                query: viewModel.query, results: viewModel.searchResults, isSearching: viewModel.isSearching))
    }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        switch intention {
        case .searchDropoffs(let query): viewModel.search(for: query)
        case .selectDropoff(let name):
            guard let result = viewModel.searchResults.first(where: { $0.name == name }) else { return }
            try viewModel.select(dropoffLocation: result)
        case .cancelDropoff: try viewModel.cancel()
        default: break
        }
    }
}
