import PouchEntities

@MainActor
public protocol SelectDropoffLocationUseCaseFactory: AnyObject {
    /// Closes the picker, too.
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
            $0.dropoffLocation = location.location
            $0.dropoffPicker = nil
        }
    }
}
