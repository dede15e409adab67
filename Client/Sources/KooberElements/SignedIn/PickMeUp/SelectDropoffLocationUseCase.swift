import PouchEntities

/// Closes the picker, too, after which what there is to ride on is to be loaded. Does nothing while no picker is open.
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

    func begin() {
        pickMeUp.update {
            guard $0.dropoffPicker != nil else { return }
            $0.dropoffLocation = location
            $0.dropoffPicker = nil
            // Of the trip before, neither an option nor a price is left.
            $0.step = .selectRideOption(RideOptions(isLoading: true))
        }
    }
}
