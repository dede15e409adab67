import KooberKit
import PouchEntities

/// Searches for what the picker is to show. Does nothing while it is closed; of several searches the answer to the
/// latest counts.
@MainActor
public protocol SearchDropoffLocationsUseCaseFactory: AnyObject {
    /// - Parameter query: empty for the places near by.
    func makeSearchDropoffLocationsUseCase(query: String) -> any CancelableUseCase
}

final class SearchDropoffLocationsUseCase: SingleRunUseCase, Cancelable {
    let run = UseCaseRun()
    private let query: String
    private let repository: any LocationRepository
    private let pickMeUp: StateStore<PickMeUpState>

    init(query: String, repository: any LocationRepository, pickMeUp: StateStore<PickMeUpState>) {
        self.query = query
        self.repository = repository
        self.pickMeUp = pickMeUp
    }

    func begin() {
        guard pickMeUp.state.dropoffPicker != nil else { return }
        pickMeUp.update {
            $0.dropoffPicker?.query = query
            $0.dropoffPicker?.isSearching = true
        }
        run.perform { [query, repository, near = pickMeUp.state.pickupLocation] () async throws(ErrorMessage) in
            try await repository.searchForLocations(using: query, near: near)
        } then: { [pickMeUp, query] result in
            pickMeUp.update {
                guard $0.dropoffPicker?.query == query else { return }
                $0.dropoffPicker?.isSearching = false
                switch result {
                case .success(let results): $0.dropoffPicker?.results = results
                case .failure(let error): $0.errors.append(error)
                }
            }
        }
    }
}
