import KooberKit
import PouchEntities

@MainActor
public protocol LoadRideOptionsUseCaseFactory: AnyObject {
    /// Asks what there is to ride on to the drop-off, and for how much. Does nothing while there is no drop-off.
    func makeLoadRideOptionsUseCase() -> any CancelableUseCase
}

final class LoadRideOptionsUseCase: SingleRunUseCase, Cancelable {
    let run = UseCaseRun()
    private let repository: any RideOptionRepository
    private let pickMeUp: StateStore<PickMeUpState>

    init(repository: any RideOptionRepository, pickMeUp: StateStore<PickMeUpState>) {
        self.repository = repository
        self.pickMeUp = pickMeUp
    }

    func begin() {
        guard let waypoints = pickMeUp.state.waypoints else { return }
        pickMeUp.update { $0.step = .selectRideOption(RideOptions(isLoading: true)) }
        run.perform { [repository] () async throws(ErrorMessage) in
            try await repository.rideOptions(for: waypoints)
        } then: { [pickMeUp] result in
            pickMeUp.update {
                switch result {
                case .success(let options):
                    $0.step = .selectRideOption(RideOptions(options: options))
                case .failure(let error):
                    $0.step = .selectRideOption(RideOptions())
                    $0.errors.append(error)
                }
            }
        }
    }
}
