import KooberKit
import KooberScreens
import PouchEntities

/// Owns the objects that live from the user's location to the request of a ride. A new ride gets a new container.
@MainActor
public final class PickMeUpContainer {
    public let pickMeUp: StateStore<PickMeUpState>
    private let signedIn: SignedInContainer

    public init(signedIn: SignedInContainer, pickupLocation: GeoPoint) {
        pickMeUp = StateStore(PickMeUpState(pickupLocation: pickupLocation))
        self.signedIn = signedIn
    }

    func makePickMeUpController(plan: RidePlan?) -> any Controller {
        let stateObserver = EventObserver(StateSource(signedIn.app.updates) { [pickMeUp] in pickMeUp.state })
        let sizeObserver = WindowSizeObserver(signedIn.app.windowSizes)
        let controller = PickMeUpController(
            userInterface: PickMeUpView(in: signedIn.app.root), observer: stateObserver, sizeObserver: sizeObserver,
            useCases: self, plan: plan)
        stateObserver.deliver(to: controller) { $0.received(pickMeUp: $1) }
        sizeObserver.deliver(to: controller)
        return controller
    }
}

extension PickMeUpContainer: DropoffUseCaseFactory, RideUseCaseFactory, FinishedPresentingErrorUseCaseFactory {
    public func makePresentDropoffPickerUseCase(isPresented: Bool) -> any UseCase {
        UseCaseRun(PresentDropoffPickerUseCase(isPresented: isPresented, pickMeUp: pickMeUp))
    }

    public func makeSearchDropoffLocationsUseCase(query: String, choosesMatch: Bool) -> any CancelableUseCase {
        UseCaseRun(
            SearchDropoffLocationsUseCase(
                query: query, choosesMatch: choosesMatch, repository: signedIn.locationRepository,
                pickMeUp: pickMeUp))
    }

    public func makeSelectDropoffLocationUseCase(
        _ location: NamedLocation, option: PricedRideOption.ID?
    ) -> any CancelableUseCase {
        UseCaseRun(
            SelectDropoffLocationUseCase(
                location: location, option: option, repository: signedIn.rideOptionRepository, pickMeUp: pickMeUp))
    }

    public func makeSelectRideOptionUseCase(id: PricedRideOption.ID) -> any UseCase {
        UseCaseRun(SelectRideOptionUseCase(id: id, pickMeUp: pickMeUp))
    }

    public func makeRequestRideUseCase() -> any CancelableUseCase {
        UseCaseRun(
            RequestRideUseCase(
                repository: signedIn.newRideRepository, pickMeUp: pickMeUp, signedIn: signedIn.signedIn,
                events: signedIn.app.events))
    }

    public func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase {
        UseCaseRun(FinishedPresentingErrorUseCase(error: error, store: pickMeUp))
    }
}

// MARK: Waiting for pick-up

/// Owns the objects that live from the request of a ride to the next ride.
@MainActor
public final class WaitingForPickupContainer {
    public let waiting: StateStore<WaitingForPickupState>
    private let signedIn: SignedInContainer

    public init(signedIn: SignedInContainer, ride: Ride) {
        waiting = StateStore(WaitingForPickupState(ride: ride))
        self.signedIn = signedIn
    }

    func makeWaitingForPickupController() -> any Controller {
        WaitingForPickupController.make(
            in: WaitingForPickupView(in: signedIn.app.root),
            observing: StateSource(signedIn.app.updates) { [waiting] in
                let state = waiting.state
                let screen = WaitingScreen(ride: state.ride, isCancelling: state.isCancelling)
                return ScreenViewState(.waitingForPickup(screen), state)
            }, useCases: self)
    }
}

extension WaitingForPickupContainer: WaitingForPickupUseCaseFactory, FinishedPresentingErrorUseCaseFactory {
    public func makeFollowRideUseCase() -> any CancelableUseCase { makeFollowRideUseCase(after: nil) }

    public func makeResumeRideUseCase(after error: ErrorMessage) -> any CancelableUseCase {
        makeFollowRideUseCase(after: error.id)
    }

    private func makeFollowRideUseCase(after interruption: ErrorMessage.ID?) -> any CancelableUseCase {
        UseCaseRun(
            FollowRideUseCase(
                interruption: interruption, repository: signedIn.newRideRepository, waiting: waiting,
                events: signedIn.app.events))
    }

    public func makeCancelRideUseCase() -> any CancelableUseCase {
        UseCaseRun(
            CancelRideUseCase(
                repository: signedIn.newRideRepository, waiting: waiting, events: signedIn.app.events))
    }

    public func makeStartNewRideUseCase() -> any UseCase {
        UseCaseRun(StartNewRideUseCase(waiting: waiting, signedIn: signedIn.signedIn))
    }

    public func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase {
        UseCaseRun(FinishedPresentingErrorUseCase(error: error, store: waiting))
    }
}
