import KooberKit

/// Does nothing where there is no such option to select.
@MainActor
public protocol SelectRideOptionUseCaseFactory: AnyObject {
    func makeSelectRideOptionUseCase(id: PricedRideOption.ID) -> any UseCase
}

final class SelectRideOptionUseCase: SingleRunUseCase {
    let run = UseCaseRun()
    private let id: PricedRideOption.ID
    private let pickMeUp: StateStore<PickMeUpState>

    init(id: PricedRideOption.ID, pickMeUp: StateStore<PickMeUpState>) {
        self.id = id
        self.pickMeUp = pickMeUp
    }

    func begin() {
        guard pickMeUp.state.dropoffPicker == nil, case .selectRideOption(var options) = pickMeUp.state.step,
            options.options.contains(where: { $0.id == id })
        else { return }
        options.selectedID = id
        pickMeUp.update { $0.step = .selectRideOption(options) }
    }
}
