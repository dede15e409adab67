import KooberKit
import PouchEntities

@MainActor
public protocol DropoffUseCaseFactory: AnyObject {
    func makePresentDropoffPickerUseCase(isPresented: Bool) -> any UseCase
    /// - Parameter query: empty for the places nearby.
    func makeSearchDropoffLocationsUseCase(query: String) -> any CancelableUseCase
    func makeSelectDropoffLocationUseCase(_ location: NamedLocation) -> any UseCase
}

/// Opens an empty drop-off picker, or closes the open one. Does not open a second one, or one during a request.
struct PresentDropoffPickerUseCase: UseCaseSteps {
    let isPresented: Bool
    let pickMeUp: StateStore<PickMeUpState>

    func execute(in run: UseCaseRun<Self>) {
        pickMeUp.update {
            guard isPresented else { return $0.dropoffPicker = nil }
            guard $0.dropoffPicker == nil, !$0.isSending else { return }
            $0.dropoffPicker = DropoffPickerState()
        }
    }
}

/// Searches for places, and shows them in the drop-off picker. Does nothing while the picker is closed. Of several
/// searches only the answer to the latest counts.
struct SearchDropoffLocationsUseCase: UseCaseSteps {
    let query: String
    let repository: any LocationRepository
    let pickMeUp: StateStore<PickMeUpState>

    func execute(in run: UseCaseRun<Self>) {
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

/// Chooses the drop-off, and closes the picker. The ride options have to be loaded next. Does nothing while the picker
/// is closed.
struct SelectDropoffLocationUseCase: UseCaseSteps {
    let location: NamedLocation
    let pickMeUp: StateStore<PickMeUpState>

    func execute(in run: UseCaseRun<Self>) {
        pickMeUp.update {
            guard $0.dropoffPicker != nil else { return }
            $0.dropoffLocation = location
            $0.dropoffPicker = nil
            // The options and prices of the trip before no longer apply.
            $0.step = .selectRideOption(RideOptions(isLoading: true))
        }
    }
}
