import KooberKit
import PouchEntities

/// Asks for a ride as it was chosen, then shows it. Does nothing where no option is selected, or the picker is open.
@MainActor
public protocol RequestRideUseCaseFactory: AnyObject {
    func makeRequestRideUseCase() -> any CancelableUseCase
}

final class RequestRideUseCase: SingleRunUseCase, Cancelable {
    let run = UseCaseRun()
    private let repository: any NewRideRepository
    private let pickMeUp: StateStore<PickMeUpState>
    private let signedIn: StateStore<SignedInState>

    init(
        repository: any NewRideRepository, pickMeUp: StateStore<PickMeUpState>, signedIn: StateStore<SignedInState>
    ) {
        self.repository = repository
        self.pickMeUp = pickMeUp
        self.signedIn = signedIn
    }

    func begin() {
        guard pickMeUp.state.dropoffPicker == nil, case .selectRideOption(let options) = pickMeUp.state.step,
            let selected = options.selected, let waypoints = pickMeUp.state.waypoints
        else { return }
        let request = NewRideRequest(waypoints: waypoints, option: selected)
        pickMeUp.update { $0.step = .sendingRideRequest(options) }
        run.perform { [repository] () async throws(ErrorMessage) in
            try await repository.request(request)
        } then: { [pickMeUp, signedIn] result in
            switch result {
            case .success(let ride):
                signedIn.update { $0.screen = .waitingForPickup(ride) }
            case .failure(let error):
                pickMeUp.update {
                    $0.step = .rideRequestFailed(options)
                    $0.errors.append(error)
                }
            }
        }
    }
}
