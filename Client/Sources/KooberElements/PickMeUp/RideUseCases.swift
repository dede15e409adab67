import KooberKit
import PouchEntities

/// Loads the ride options with their prices for the chosen trip. Does nothing without a drop-off, and while a ride is
/// being requested.
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

    func execute() {
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

    func execute() {
        guard pickMeUp.state.dropoffPicker == nil, case .selectRideOption(var options) = pickMeUp.state.step,
            options.options.contains(where: { $0.id == id })
        else { return }
        options.selectedID = id
        pickMeUp.update { $0.step = .selectRideOption(options) }
    }
}

/// Requests the chosen ride, and shows it. Does nothing without a selected option, and while the drop-off picker is open.
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

    func execute() {
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
