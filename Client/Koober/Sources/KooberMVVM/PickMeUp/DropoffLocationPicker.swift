import KooberKit
import KooberMVVMCore
import KooberScreens
import Observation
import PouchEntities

/// The search for a drop-off location.
@MainActor
@Observable
public final class DropoffLocationPickerViewModel {
    /// The text of the last search; empty for the places nearby.
    public private(set) var query = ""
    /// The results of the last successful search. They remain while the next search runs.
    public private(set) var searchResults: [NamedLocation] = []
    public private(set) var isSearching = false
    public let pickupLocation: GeoPoint
    private let locationRepository: any LocationRepository
    private let dropoffLocationDeterminedResponder: any DropoffLocationDeterminedResponder
    private let cancelDropoffLocationSelectionResponder: any CancelDropoffLocationSelectionResponder
    private let errorMessages: ErrorMessages
    private let searching = LatestTask()

    /// Starts with a search.
    ///
    /// - Parameter choosesMatch: whether a result with exactly this name is selected.
    public init(
        pickupLocation: GeoPoint, locationRepository: any LocationRepository,
        dropoffLocationDeterminedResponder: any DropoffLocationDeterminedResponder,
        cancelDropoffLocationSelectionResponder: any CancelDropoffLocationSelectionResponder,
        errorMessages: ErrorMessages, query: String = "", choosesMatch: Bool = false
    ) {
        self.pickupLocation = pickupLocation
        self.locationRepository = locationRepository
        self.dropoffLocationDeterminedResponder = dropoffLocationDeterminedResponder
        self.cancelDropoffLocationSelectionResponder = cancelDropoffLocationSelectionResponder
        self.errorMessages = errorMessages
        search(for: query, choosesMatch: choosesMatch)
    }

    /// Searches, and cancels the previous search.
    public func search(for query: String) { search(for: query, choosesMatch: false) }

    private func search(for query: String, choosesMatch: Bool) {
        self.query = query
        isSearching = true
        searching.run(for: self) { [locationRepository, pickupLocation] current in
            do throws(ErrorMessage) {
                let found = try await locationRepository.searchForLocations(using: query, near: pickupLocation)
                current()?.show(found, choosesMatch: choosesMatch)
            } catch {
                current()?.fail(error)
            }
        }
    }

    private func show(_ found: [NamedLocation], choosesMatch: Bool) {
        isSearching = false
        searchResults = found
        guard choosesMatch, let match = found.first(where: { $0.name.isSameName(as: query) }) else { return }
        select(dropoffLocation: match)
    }

    private func fail(_ errorMessage: ErrorMessage) {
        isSearching = false
        errorMessages.present(errorMessage)
    }

    @discardableResult
    public func select(dropoffLocation: NamedLocation) -> Bool {
        dropoffLocationDeterminedResponder.dropOffUser(at: dropoffLocation)
    }

    @discardableResult
    public func cancel() -> Bool {
        cancelDropoffLocationSelectionResponder.cancelDropoffLocationSelection()
    }
}

@MainActor
public protocol DropoffLocationDeterminedResponder: AnyObject {
    /// - Returns: false if the step is not possible now.
    @discardableResult
    func dropOffUser(at dropoffLocation: NamedLocation) -> Bool
}

@MainActor
public protocol CancelDropoffLocationSelectionResponder: AnyObject {
    /// - Returns: false if the step is not possible now.
    @discardableResult
    func cancelDropoffLocationSelection() -> Bool
}

/// Shown by its parent, as a part of the map's screen.
package final class DropoffLocationPickerViewController: ScreenView {
    private let viewModel: DropoffLocationPickerViewModel

    package init(viewModel: DropoffLocationPickerViewModel, in display: any Display) {
        self.viewModel = viewModel
        super.init(in: display)
    }

    var picker: DropoffPicker {
        DropoffPicker(
            query: viewModel.query, results: viewModel.searchResults, from: viewModel.pickupLocation,
            isSearching: viewModel.isSearching)
    }

    package override func perform(_ intention: Intention) {
        switch intention {
        case .searchDropoffs(let query): viewModel.search(for: query)
        case .selectDropoff(let name):
            guard let result = viewModel.searchResults.first(where: { $0.name == name }) else { return }
            viewModel.select(dropoffLocation: result)
        case .cancelDropoff, .goBack: viewModel.cancel()
        default: break
        }
    }
}
