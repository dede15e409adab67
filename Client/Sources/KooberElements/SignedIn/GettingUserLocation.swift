import KooberKit
import KooberScreens
import PouchEntities

/// The screen until the user's location is known.
@MainActor
protocol GettingUserLocationUserInterface: AnyObject {
    var interactionResponder: (any ErrorInteractionResponder)? { get set }
    func render(newState: GettingUserLocationViewState)
}

struct GettingUserLocationViewState: Sendable, Equatable {
    let error: ErrorMessage?

    init(_ state: SignedInState) {
        error = state.errors.first
    }
}

final class GettingUserLocationController: ScreenController, ErrorInteractionResponder {
    typealias UseCases = FindRideOrLocationUseCaseFactory & FinishedPresentingErrorUseCaseFactory

    private let userInterface: any GettingUserLocationUserInterface
    private let observer: any Observer
    private let useCases: any UseCases
    private let running = RunningUseCases()

    init(userInterface: any GettingUserLocationUserInterface, observer: any Observer, useCases: any UseCases) {
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

    func received(newState: GettingUserLocationViewState) {
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
@MainActor
public protocol FindRideOrLocationUseCaseFactory: AnyObject {
    func makeFindRideOrLocationUseCase() -> any CancelableUseCase
}

final class FindRideOrLocationUseCase: SingleRunUseCase, Cancelable {
    let run = UseCaseRun()
    private let rides: any NewRideRepository
    private let locationSource: any UserLocationSource
    private let signedIn: StateStore<SignedInState>

    init(
        rides: any NewRideRepository, locationSource: any UserLocationSource, signedIn: StateStore<SignedInState>
    ) {
        self.rides = rides
        self.locationSource = locationSource
        self.signedIn = signedIn
    }

    func execute() {
        guard signedIn.state.screen == .gettingUserLocation else { return }
        run.perform { [rides] () async throws(ErrorMessage) in
            try await rides.activeRide()
        } then: { [self] result in
            switch result {
            case .success(let ride?): finish { $0.screen = .waitingForPickup(ride) }
            case .success(nil): findUserLocation()
            case .failure(let error): finish { $0.errors.append(error) }
            }
        }
    }

    private func findUserLocation() {
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

final class GettingUserLocationView: GettingUserLocationUserInterface, View {
    weak var interactionResponder: (any ErrorInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: GettingUserLocationViewState) {
        window.show(.gettingUserLocation, error: newState.error, in: self, errorResponder: interactionResponder)
    }
}
