import KooberKit
import PouchEntities

/// Owns the objects that live from the user's location to the request of a ride. A new ride gets a new container.
@MainActor
public final class PickMeUpContainer {
    public let pickMeUp: StateStore<PickMeUpState>
    private let signedIn: SignedInContainer

    init(signedIn: SignedInContainer, pickupLocation: GeoPoint) {
        pickMeUp = StateStore(PickMeUpState(pickupLocation: pickupLocation))
        self.signedIn = signedIn
    }

    func makePickMeUpController() -> any Controller {
        PickMeUpController.make(in: PickMeUpView(window: signedIn.app.window), observing: pickMeUp, useCases: self)
    }
}

extension PickMeUpContainer: PresentDropoffPickerUseCaseFactory, SearchDropoffLocationsUseCaseFactory,
    SelectDropoffLocationUseCaseFactory, LoadRideOptionsUseCaseFactory, SelectRideOptionUseCaseFactory,
    RequestRideUseCaseFactory, FinishedPresentingErrorUseCaseFactory
{
    public func makePresentDropoffPickerUseCase(isPresented: Bool) -> any UseCase {
        PresentDropoffPickerUseCase(isPresented: isPresented, pickMeUp: pickMeUp)
    }

    public func makeSearchDropoffLocationsUseCase(query: String) -> any CancelableUseCase {
        SearchDropoffLocationsUseCase(
            query: query, repository: signedIn.locationRepository, pickMeUp: pickMeUp)
    }

    public func makeSelectDropoffLocationUseCase(_ location: NamedLocation) -> any UseCase {
        SelectDropoffLocationUseCase(location: location, pickMeUp: pickMeUp)
    }

    public func makeLoadRideOptionsUseCase() -> any CancelableUseCase {
        LoadRideOptionsUseCase(repository: signedIn.rideOptionRepository, pickMeUp: pickMeUp)
    }

    public func makeSelectRideOptionUseCase(id: PricedRideOption.ID) -> any UseCase {
        SelectRideOptionUseCase(id: id, pickMeUp: pickMeUp)
    }

    public func makeRequestRideUseCase() -> any CancelableUseCase {
        RequestRideUseCase(
            repository: signedIn.newRideRepository, pickMeUp: pickMeUp, signedIn: signedIn.signedIn)
    }

    public func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase {
        FinishedPresentingErrorUseCase(error: error, store: pickMeUp)
    }
}
