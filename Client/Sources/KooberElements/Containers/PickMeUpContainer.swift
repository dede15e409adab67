import KooberKit
import PouchEntities

/// What lives from the known location of the user to the request. The location is a value here that never changes: a
/// new ride has a container of its own.
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
