import KooberKit
import KooberScreens
import PouchEntities

/// What lives from the known location of the user to the request. The location is a value here that never changes: a
/// new ride has a container of its own.
@MainActor
public final class PickMeUpContainer {
    public let pickMeUp: StateStore<PickMeUpState>
    private let signedIn: SignedInContainer
    private let made: ObjectRegister

    init(signedIn: SignedInContainer, pickupLocation: GeoPoint) {
        made = ObjectRegister(scope: .pickMeUp, lifetimes: signedIn.app.lifetimes)
        pickMeUp = made(StateStore(PickMeUpState(pickupLocation: pickupLocation)))
        self.signedIn = signedIn
        made(self)
    }

    func makePickMeUpController() -> any Controller {
        made.controller(
            PickMeUpController.self, in: PickMeUpView(window: signedIn.app.window), of: pickMeUp, useCases: self)
    }
}

extension PickMeUpContainer: PresentDropoffPickerUseCaseFactory, SearchDropoffLocationsUseCaseFactory,
    SelectDropoffLocationUseCaseFactory, LoadRideOptionsUseCaseFactory, SelectRideOptionUseCaseFactory,
    RequestRideUseCaseFactory, FinishedPresentingErrorUseCaseFactory
{
    public func makePresentDropoffPickerUseCase(isPresented: Bool) -> any UseCase {
        made(PresentDropoffPickerUseCase(isPresented: isPresented, pickMeUp: pickMeUp))
    }

    public func makeSearchDropoffLocationsUseCase(query: String) -> any CancelableUseCase {
        made(
            SearchDropoffLocationsUseCase(
                query: query, repository: signedIn.locationRepository, pickMeUp: pickMeUp))
    }

    public func makeSelectDropoffLocationUseCase(_ location: NamedLocation) -> any UseCase {
        made(SelectDropoffLocationUseCase(location: location, pickMeUp: pickMeUp))
    }

    public func makeLoadRideOptionsUseCase() -> any CancelableUseCase {
        made(LoadRideOptionsUseCase(repository: signedIn.rideOptionRepository, pickMeUp: pickMeUp))
    }

    public func makeSelectRideOptionUseCase(id: PricedRideOption.ID) -> any UseCase {
        made(SelectRideOptionUseCase(id: id, pickMeUp: pickMeUp))
    }

    public func makeRequestRideUseCase() -> any CancelableUseCase {
        made(
            RequestRideUseCase(
                repository: signedIn.newRideRepository, pickMeUp: pickMeUp, signedIn: signedIn.signedIn))
    }

    public func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase {
        made(FinishedPresentingErrorUseCase(error: error, store: pickMeUp))
    }
}
