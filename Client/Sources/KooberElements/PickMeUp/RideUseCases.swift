import KooberKit
import PouchEntities

@MainActor
public protocol RideUseCaseFactory: AnyObject {
    func makeLoadRideOptionsUseCase() -> any CancelableUseCase
    func makeSelectRideOptionUseCase(id: PricedRideOption.ID) -> any UseCase
    func makeRequestRideUseCase() -> any CancelableUseCase
}

/// Loads the ride options with their prices for the chosen trip. Does nothing without a drop-off, and while a ride is
/// being requested.
struct LoadRideOptionsUseCase: UseCaseSteps {
    let repository: any RideOptionRepository
    let pickMeUp: StateStore<PickMeUpState>

    func execute(in run: UseCaseRun<Self>) {
        guard let waypoints = pickMeUp.state.waypoints, !pickMeUp.state.isSending else { return }
        pickMeUp.update { $0.step = .selectRideOption(RideOptions(isLoading: true)) }
        run.perform { [repository] () async throws(ErrorMessage) in
            try await repository.rideOptions(for: waypoints)
        } then: { [pickMeUp] result in
            pickMeUp.update {
                // The user may have chosen another trip, or an equal call may have been answered first.
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

/// Selects a ride option. Does nothing if it is not offered.
struct SelectRideOptionUseCase: UseCaseSteps {
    let id: PricedRideOption.ID
    let pickMeUp: StateStore<PickMeUpState>

    func execute(in run: UseCaseRun<Self>) {
        guard pickMeUp.state.dropoffPicker == nil, case .selectRideOption(var options) = pickMeUp.state.step,
            options.options.contains(where: { $0.id == id })
        else { return }
        options.selectedID = id
        pickMeUp.update { $0.step = .selectRideOption(options) }
    }
}

/// Requests the chosen ride, and shows it. Does nothing without a selected option, and while the drop-off picker is
/// open.
struct RequestRideUseCase: UseCaseSteps {
    let repository: any NewRideRepository
    let pickMeUp: StateStore<PickMeUpState>
    let signedIn: StateStore<SignedInState>

    func execute(in run: UseCaseRun<Self>) {
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
