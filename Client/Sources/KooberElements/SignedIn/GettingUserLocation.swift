import KooberKit
import KooberScreens
import PouchEntities

/// The screen until the user's location is known.
final class GettingUserLocationController: ScreenController, ErrorInteractionResponder {
    typealias UserInterface = any ScreenUserInterface<any ErrorInteractionResponder, ErrorViewState>
    typealias UseCases = FindRideOrLocationUseCaseFactory & FinishedPresentingErrorUseCaseFactory

    private let userInterface: UserInterface
    private let observer: any Observer
    private let useCases: any UseCases
    private let running = RunningUseCases()

    init(userInterface: UserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
        userInterface.interactionResponder = self
    }

    func activate() {
        observer.startObserving()
        findRideOrLocation()
    }

    func deactivate() {
        observer.stopObserving()
        running.cancel()
    }

    func received(newState: ErrorViewState) {
        userInterface.render(newState: newState)
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
public protocol FindRideOrLocationUseCaseFactory: UseCaseFactory {
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

final class GettingUserLocationView: ScreenUserInterface, View {
    weak var interactionResponder: (any ErrorInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: ErrorViewState) {
        window.show(.gettingUserLocation, error: newState.error, in: self, errorResponder: interactionResponder)
    }
}
