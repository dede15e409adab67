import KooberKit
import PouchEntities

/// Opens an empty drop-off picker, or closes the open one. Does not open a second one, or one during a request.
@MainActor
public protocol PresentDropoffPickerUseCaseFactory: AnyObject {
    func makePresentDropoffPickerUseCase(isPresented: Bool) -> any UseCase
}

final class PresentDropoffPickerUseCase: SingleRunUseCase {
    let run = UseCaseRun()
    private let isPresented: Bool
    private let pickMeUp: StateStore<PickMeUpState>

    init(isPresented: Bool, pickMeUp: StateStore<PickMeUpState>) {
        self.isPresented = isPresented
        self.pickMeUp = pickMeUp
    }

    func execute() {
        pickMeUp.update {
            guard isPresented else { return $0.dropoffPicker = nil }
            guard $0.dropoffPicker == nil, !$0.isSending else { return }
            $0.dropoffPicker = DropoffPickerState()
        }
    }
}

/// Searches for places, and shows them in the drop-off picker. Does nothing while the picker is closed. Of several
/// searches only the answer to the latest counts.
@MainActor
public protocol SearchDropoffLocationsUseCaseFactory: AnyObject {
    /// - Parameter query: empty for the places nearby.
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

    func execute() {
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

/// Chooses the drop-off, and closes the picker. The ride options have to be loaded next. Does nothing while the picker is
/// closed.
@MainActor
public protocol SelectDropoffLocationUseCaseFactory: AnyObject {
    func makeSelectDropoffLocationUseCase(_ location: NamedLocation) -> any UseCase
}

final class SelectDropoffLocationUseCase: SingleRunUseCase {
    let run = UseCaseRun()
    private let location: NamedLocation
    private let pickMeUp: StateStore<PickMeUpState>

    init(location: NamedLocation, pickMeUp: StateStore<PickMeUpState>) {
        self.location = location
        self.pickMeUp = pickMeUp
    }

    func execute() {
        pickMeUp.update {
            guard $0.dropoffPicker != nil else { return }
            $0.dropoffLocation = location
            $0.dropoffPicker = nil
            // The options and prices of the trip before no longer apply.
            $0.step = .selectRideOption(RideOptions(isLoading: true))
        }
    }
}
