import KooberKit

@MainActor
public protocol SelectRideOptionUseCaseFactory: AnyObject {
    /// Does nothing where there are no options to select from.
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
        guard case .selectRideOption(var options) = pickMeUp.state.step else { return }
        options.selectedID = id
        pickMeUp.update { $0.step = .selectRideOption(options) }
    }
}
