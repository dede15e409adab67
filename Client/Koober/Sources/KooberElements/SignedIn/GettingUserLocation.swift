import KooberKit
import KooberScreens

typealias GettingUserLocationUseCases = FindRideOrLocationUseCaseFactory & FinishedPresentingErrorUseCaseFactory

/// The screen until the user's location is known.
final class GettingUserLocationController: ScreenController<
    any ErrorInteractionResponder, any GettingUserLocationUseCases
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
        run.perform {
            do throws(ErrorMessage) {
                if let ride = try await rides.activeRide() { return finish { $0.screen = .waitingForPickup(ride) } }
                guard !Task.isCancelled else { return }
                let location = try await locationSource.userLocation()
                finish { $0.screen = .pickMeUp(pickupLocation: location) }
            } catch {
                finish { $0.errors.append(error) }
            }
        }
    }

    private func finish(_ change: (inout SignedInState) -> Void) {
        guard signedIn.state.screen == .gettingUserLocation else { return }
        signedIn.update(change)
    }
}
