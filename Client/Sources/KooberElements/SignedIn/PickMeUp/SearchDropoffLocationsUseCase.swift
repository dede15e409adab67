import KooberKit
import PouchEntities

@MainActor
public protocol SearchDropoffLocationsUseCaseFactory: AnyObject {
    /// Whoever starts another one cancels this one first.
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
        pickMeUp.update {
            $0.dropoffPicker?.query = query
            $0.dropoffPicker?.isSearching = true
        }
        run.perform { [query, repository, near = pickMeUp.state.pickupLocation] () async throws(ErrorMessage) in
            try await repository.searchForLocations(using: query, near: near)
        } then: { [pickMeUp] result in
            pickMeUp.update {
                $0.dropoffPicker?.isSearching = false
                switch result {
                case .success(let results): $0.dropoffPicker?.results = results
                case .failure(let error): $0.errors.append(error)
                }
            }
        }
    }
}
