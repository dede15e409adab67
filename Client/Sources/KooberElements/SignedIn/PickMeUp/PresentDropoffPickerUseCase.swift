/// Opens a fresh picker, or closes the one that is open. None is opened over another, nor over a request.
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

    func begin() {
        pickMeUp.update {
            guard isPresented else { return $0.dropoffPicker = nil }
            guard $0.dropoffPicker == nil, !$0.isSending else { return }
            $0.dropoffPicker = DropoffPickerState()
        }
    }
}
