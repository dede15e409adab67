import KooberKit
import PouchEntities

/// Owns the objects that live as long as one session. It gets the session when it is made, so that its objects never
/// have to check whether the user is signed in.
@MainActor
public final class SignedInContainer {
    public let signedIn: StateStore<SignedInState>
    let app: AppContainer
    let locationRepository: any LocationRepository
    let rideOptionRepository: any RideOptionRepository
    let newRideRepository: any NewRideRepository
    private let locationSource: any UserLocationSource
    private let userSession: UserSession

    public init(app: AppContainer, userSession: UserSession) {
        signedIn = StateStore(SignedInState())
        locationRepository = app.model.makeLocationRepository(for: userSession)
        rideOptionRepository = app.model.makeRideOptionRepository(for: userSession)
        newRideRepository = app.model.makeNewRideRepository(for: userSession)
        locationSource = app.model.makeUserLocationSource()
        self.app = app
        self.userSession = userSession
    }

    func makeSignedInController() -> any Controller {
        let profile = ProfileController(userInterface: ProfileView(window: app.window), useCases: self)
        let observer = EventObserver(signedIn)
        let controller = SignedInController(observer: observer, profile: profile, useCases: self, children: self)
        observer.deliver(to: controller) { $0.received(newState: $1) }
        observer.deliver(to: profile) { [user = userSession.profile] in
            $0.received(viewState: ProfileViewState($1.profile, of: user))
        }
        return controller
    }
}

extension SignedInContainer: SignedInChildFactory {
    func makeGettingUserLocationController() -> any Controller {
        GettingUserLocationController.make(
            in: GettingUserLocationView(window: app.window),
            observing: signedIn.select { ErrorViewState($0) }, useCases: self)
    }

    func makePickMeUpController(pickupLocation: GeoPoint) -> any Controller {
        PickMeUpContainer(signedIn: self, pickupLocation: pickupLocation).makePickMeUpController()
    }

    func makeWaitingForPickupController(ride: Ride) -> any Controller {
        WaitingForPickupContainer(signedIn: self, ride: ride).makeWaitingForPickupController()
    }
}

extension SignedInContainer: FollowSessionUseCaseFactory, FindRideOrLocationUseCaseFactory, ProfileUseCaseFactory,
    FinishedPresentingErrorUseCaseFactory
{
    public func makeFollowSessionUseCase() -> any CancelableUseCase {
        UseCaseRun(
            FollowSessionUseCase(
                userSession: userSession, repository: app.userSessionRepository, endOfSession: app.endOfSession))
    }

    public func makeFindRideOrLocationUseCase() -> any CancelableUseCase {
        UseCaseRun(
            FindRideOrLocationUseCase(
                rides: newRideRepository, locationSource: locationSource, signedIn: signedIn))
    }

    public func makePresentProfileUseCase(isPresented: Bool) -> any UseCase {
        UseCaseRun(PresentProfileUseCase(isPresented: isPresented, signedIn: signedIn))
    }

    public func makeSignOutUseCase() -> any CancelableUseCase {
        UseCaseRun(
            SignOutUseCase(
                userSession: userSession, repository: app.userSessionRepository, signedIn: signedIn, main: app.main))
    }

    public func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase {
        UseCaseRun(FinishedPresentingErrorUseCase(error: error, store: signedIn))
    }
}
