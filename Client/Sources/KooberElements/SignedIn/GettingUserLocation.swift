import KooberKit
import KooberScreens
import PouchEntities

typealias GettingUserLocationUseCases = FindRideOrLocationUseCaseFactory & FinishedPresentingErrorUseCaseFactory

/// The screen until the user's location is known.
final class GettingUserLocationController: ScreenController<
    any ErrorInteractionResponder, ErrorViewState, any GettingUserLocationUseCases
>, ErrorInteractionResponder
{
    required init(userInterface: UserInterface, observer: any Observer, useCases: any GettingUserLocationUseCases) {
        super.init(userInterface: userInterface, observer: observer, useCases: useCases)
        userInterface.interactionResponder = self
    }

    override func activate() {
        super.activate()
        findRideOrLocation()
    }

    func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
        findRideOrLocation()
    }

    private func findRideOrLocation() {
        running.replace(by: useCases.makeFindRideOrLocationUseCase())
    }
}

// MARK: Use case

/// Finds and shows the ride in progress or, without one, the user's location. Does nothing once either is known.
@MainActor
public protocol FindRideOrLocationUseCaseFactory: AnyObject {
    func makeFindRideOrLocationUseCase() -> any CancelableUseCase
}

struct FindRideOrLocationUseCase: UseCaseSteps {
    let rides: any NewRideRepository
    let locationSource: any UserLocationSource
    let signedIn: StateStore<SignedInState>

    func execute(in run: UseCaseRun<Self>) {
        guard signedIn.state.screen == .gettingUserLocation else { return }
        run.perform { [rides] () async throws(ErrorMessage) in
            try await rides.activeRide()
        } then: { [self] result in
            switch result {
            case .success(let ride?): finish { $0.screen = .waitingForPickup(ride) }
            case .success(nil): findUserLocation(in: run)
            case .failure(let error): finish { $0.errors.append(error) }
            }
        }
    }

    private func findUserLocation(in run: UseCaseRun<Self>) {
        run.perform { [locationSource] () async throws(ErrorMessage) in
            try await locationSource.userLocation()
        } then: { [self] result in
            switch result {
            case .success(let location): finish { $0.screen = .pickMeUp(pickupLocation: location) }
            case .failure(let error): finish { $0.errors.append(error) }
            }
        }
    }

    private func finish(_ change: (inout SignedInState) -> Void) {
        signedIn.update {
            guard $0.screen == .gettingUserLocation else { return }
            change(&$0)
        }
    }
}

// MARK: View

final class GettingUserLocationView: View, ScreenUserInterface {
    weak var interactionResponder: (any ErrorInteractionResponder)?

    func render(newState: ErrorViewState) {
        window.show(.gettingUserLocation, error: newState.error, in: self, errorResponder: interactionResponder)
    }
}
