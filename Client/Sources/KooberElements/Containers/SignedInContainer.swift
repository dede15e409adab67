import KooberKit
import KooberScreens
import PouchEntities

/// What lives as long as one session. It is made with the session, so that nothing in it ever asks whether somebody is
/// signed in.
@MainActor
public final class SignedInContainer {
    public let signedIn: StateStore<SignedInState>
    let app: AppContainer
    let locationRepository: any LocationRepository
    let rideOptionRepository: any RideOptionRepository
    let newRideRepository: any NewRideRepository
    private let locationSource: any UserLocationSource
    private let userSession: UserSession
    private let made: ObjectRegister
    private let madeToLocate: ObjectRegister

    init(app: AppContainer, userSession: UserSession) {
        made = ObjectRegister(scope: .signedIn, lifetimes: app.lifetimes)
        madeToLocate = ObjectRegister(scope: .gettingUserLocation, lifetimes: app.lifetimes)
        signedIn = made(StateStore(SignedInState()))
        locationRepository = made(app.model.makeLocationRepository(for: userSession))
        rideOptionRepository = made(app.model.makeRideOptionRepository(for: userSession))
        newRideRepository = made(app.model.makeNewRideRepository(for: userSession))
        locationSource = made(app.model.makeUserLocationSource())
        self.app = app
        self.userSession = userSession
        made(self)
    }

    public func makePickMeUpContainer(pickupLocation: GeoPoint) -> PickMeUpContainer {
        PickMeUpContainer(signedIn: self, pickupLocation: pickupLocation)
    }

    public func makeWaitingForPickupContainer(ride: Ride) -> WaitingForPickupContainer {
        WaitingForPickupContainer(signedIn: self, ride: ride)
    }

    func makeSignedInController() -> any Controller {
        let profile = made(
            ProfileController(userInterface: made(ProfileView(window: app.window)), useCases: self))
        let observer = made(MulticastObserver(signedIn))
        let controller = made(
            SignedInController(observer: observer, profile: profile, useCases: self, children: self))
        observer.add(controller) { $0.received(newState: $1) }
        observer.add(profile) { [user = userSession.profile] in
            $0.received(newState: ProfileViewState($1.profile, of: user))
        }
        return controller
    }
}

extension SignedInContainer: SignedInChildFactory {
    func makeGettingUserLocationController() -> any Controller {
        madeToLocate.controller(
            GettingUserLocationController.self, in: GettingUserLocationView(window: app.window),
            of: signedIn.select { GettingUserLocationViewState($0) }, useCases: self)
    }

    func makePickMeUpController(pickupLocation: GeoPoint) -> any Controller {
        makePickMeUpContainer(pickupLocation: pickupLocation).makePickMeUpController()
    }

    func makeWaitingForPickupController(ride: Ride) -> any Controller {
        makeWaitingForPickupContainer(ride: ride).makeWaitingForPickupController()
    }
}

extension SignedInContainer: FollowSessionUseCaseFactory, BeginRideUseCaseFactory, PresentProfileUseCaseFactory,
    SignOutUseCaseFactory, FinishedPresentingErrorUseCaseFactory
{
    public func makeFollowSessionUseCase() -> any CancelableUseCase {
        made(
            FollowSessionUseCase(
                userSession: userSession, repository: app.userSessionRepository, endOfSession: app.endOfSession))
    }

    public func makeBeginRideUseCase() -> any CancelableUseCase {
        madeToLocate(
            BeginRideUseCase(
                rides: newRideRepository, locationSource: locationSource, signedIn: signedIn))
    }

    public func makePresentProfileUseCase(isPresented: Bool) -> any UseCase {
        made(PresentProfileUseCase(isPresented: isPresented, signedIn: signedIn))
    }

    public func makeSignOutUseCase() -> any CancelableUseCase {
        made(
            SignOutUseCase(
                userSession: userSession, repository: app.userSessionRepository, signedIn: signedIn, main: app.main))
    }

    public func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase {
        made(FinishedPresentingErrorUseCase(error: error, store: signedIn))
    }
}
