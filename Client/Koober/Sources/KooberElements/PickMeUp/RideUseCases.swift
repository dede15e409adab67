import KooberKit
import PouchEntities

@MainActor
public protocol RideUseCaseFactory: AnyObject {
    func makeSelectRideOptionUseCase(id: PricedRideOption.ID) -> any UseCase
    func makeRequestRideUseCase() -> any CancelableUseCase
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
    let events: Broadcaster<AppEvent>

    func execute(in run: UseCaseRun<Self>) {
        guard pickMeUp.state.dropoffPicker == nil, case .selectRideOption(let options) = pickMeUp.state.step,
            let selected = options.selected, let waypoints = pickMeUp.state.waypoints
        else { return }
        pickMeUp.update { $0.step = .sendingRideRequest(options) }
        run.perform {
            do throws(ErrorMessage) {
                let ride = try await repository.request(NewRideRequest(waypoints: waypoints, option: selected))
                signedIn.update { $0.screen = .waitingForPickup(ride) }
                events.broadcast(.rideRequested(ride.id, option: ride.rideOptionID))
            } catch {
                pickMeUp.update {
                    $0.step = .rideRequestFailed(options, error.id)
                    $0.errors.append(error)
                }
            }
        }
    }
}
