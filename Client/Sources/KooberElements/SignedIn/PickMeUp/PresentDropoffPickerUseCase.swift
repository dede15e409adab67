@MainActor
public protocol PresentDropoffPickerUseCaseFactory: AnyObject {
    /// Opens a fresh picker, or closes the one that is open.
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

    func begin() {
        pickMeUp.update { $0.dropoffPicker = isPresented ? DropoffPickerState() : nil }
    }
}
