import KooberKit
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

    func makePickMeUpController() -> any Controller {
        let observer = EventObserver(pickMeUp)
        let controller = PickMeUpController(
            userInterface: PickMeUpView(window: signedIn.app.window), observer: observer, useCases: self)
        observer.deliver(to: controller) { $0.received(pickMeUp: $1) }
        return controller
    }
}

extension PickMeUpContainer: DropoffUseCaseFactory, RideUseCaseFactory, FinishedPresentingErrorUseCaseFactory {
    public func makePresentDropoffPickerUseCase(isPresented: Bool) -> any UseCase {
        UseCaseRun(PresentDropoffPickerUseCase(isPresented: isPresented, pickMeUp: pickMeUp))
    }

    public func makeSearchDropoffLocationsUseCase(query: String) -> any CancelableUseCase {
        UseCaseRun(
            SearchDropoffLocationsUseCase(
                query: query, repository: signedIn.locationRepository, pickMeUp: pickMeUp))
    }

    public func makeSelectDropoffLocationUseCase(_ location: NamedLocation) -> any UseCase {
        UseCaseRun(SelectDropoffLocationUseCase(location: location, pickMeUp: pickMeUp))
    }

    public func makeLoadRideOptionsUseCase() -> any CancelableUseCase {
        UseCaseRun(LoadRideOptionsUseCase(repository: signedIn.rideOptionRepository, pickMeUp: pickMeUp))
    }

    public func makeSelectRideOptionUseCase(id: PricedRideOption.ID) -> any UseCase {
        UseCaseRun(SelectRideOptionUseCase(id: id, pickMeUp: pickMeUp))
    }

    public func makeRequestRideUseCase() -> any CancelableUseCase {
        UseCaseRun(
            RequestRideUseCase(
                repository: signedIn.newRideRepository, pickMeUp: pickMeUp, signedIn: signedIn.signedIn))
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
        let observer = EventObserver(waiting)
        let controller = WaitingForPickupController(
            userInterface: WaitingForPickupView(window: signedIn.app.window), observer: observer, useCases: self)
        observer.deliver(to: controller) { $0.received(waiting: $1) }
        return controller
    }
}

extension WaitingForPickupContainer: WaitingForPickupUseCaseFactory, FinishedPresentingErrorUseCaseFactory {
    public func makeFollowRideUseCase() -> any CancelableUseCase {
        UseCaseRun(FollowRideUseCase(repository: signedIn.newRideRepository, waiting: waiting))
    }

    public func makeCancelRideUseCase() -> any CancelableUseCase {
        UseCaseRun(CancelRideUseCase(repository: signedIn.newRideRepository, waiting: waiting))
    }

    public func makeStartNewRideUseCase() -> any UseCase {
        UseCaseRun(StartNewRideUseCase(waiting: waiting, signedIn: signedIn.signedIn))
    }

    public func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase {
        UseCaseRun(FinishedPresentingErrorUseCase(error: error, store: waiting))
    }
}
