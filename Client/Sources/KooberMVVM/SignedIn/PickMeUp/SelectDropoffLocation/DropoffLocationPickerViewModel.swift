import KooberKit
import Observation
import PouchEntities

/// Places to go to.
@MainActor
@Observable
public final class DropoffLocationPickerViewModel {
    /// What was searched for last; empty for the places near by.
    public private(set) var query = ""
    /// The last that were found, also while others are searched for.
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

    /// Only the newest search counts.
    public func search(for query: String) {
        self.query = query
        isSearching = true
        searching.call { [locationRepository, pickupLocation] () async throws(ErrorMessage) in
            try await locationRepository.searchForLocations(using: query, near: pickupLocation)
        } then: { [weak self] in
            self?.finish($0)
        }
    }

    public func select(dropoffLocation: NamedLocation) throws(IllegalTransition) {
        try dropoffLocationDeterminedResponder.dropOffUser(at: dropoffLocation)
    }

    public func cancel() throws(IllegalTransition) {
        try cancelDropoffLocationSelectionResponder.cancelDropoffLocationSelection()
    }

    private func finish(_ found: Result<[NamedLocation], ErrorMessage>) {
        isSearching = false
        switch found {
        case .success(let found): searchResults = found
        case .failure(let errorMessage): errorMessages.present(errorMessage)
        }
    }
}
