import KooberKit
import PouchEntities

/// Asks what there is to ride on to the drop-off, and for how much. Does nothing while there is no drop-off, nor while
/// a ride is being requested.
@MainActor
public protocol LoadRideOptionsUseCaseFactory: AnyObject {
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
        guard let waypoints = pickMeUp.state.waypoints, !pickMeUp.state.isSending else { return }
        pickMeUp.update { $0.step = .selectRideOption(RideOptions(isLoading: true)) }
        run.perform { [repository] () async throws(ErrorMessage) in
            try await repository.rideOptions(for: waypoints)
        } then: { [pickMeUp] result in
            pickMeUp.update {
                // Of another trip, or asked for twice.
                guard $0.waypoints == waypoints, $0.step == .selectRideOption(RideOptions(isLoading: true)) else {
                    return
                }
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
