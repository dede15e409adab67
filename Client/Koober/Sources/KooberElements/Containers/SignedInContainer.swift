import KooberKit
import KooberScreens
import PouchEntities

/// Owns the objects that live as long as one session. It receives the session when it is created, so its objects never
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
    /// For the first ride request.
    private var plan: RidePlan?

    public init(app: AppContainer, userSession: UserSession, destination: Destination? = nil) {
        signedIn = StateStore(SignedInState(profile: destination?.isProfileShown == true ? .open : .closed))
        plan = destination?.ride
        locationRepository = app.model.makeLocationRepository(for: userSession)
        rideOptionRepository = app.model.makeRideOptionRepository(for: userSession)
        newRideRepository = app.model.makeNewRideRepository(for: userSession)
        locationSource = app.model.makeUserLocationSource()
        self.app = app
        self.userSession = userSession
    }

    func makeSignedInController() -> any Controller {
        let observer = EventObserver(StateSource(app.updates) { [signedIn] in signedIn.state.screen })
        let controller = SignedInController(
            observer: observer, profile: makeProfileController(), useCases: self, children: self)
        observer.deliver(to: controller) { $0.received(newScreen: $1) }
        return controller
    }

    private func makeProfileController() -> any Controller {
        let observer = EventObserver(
            StateSource(app.updates) { [signedIn, user = userSession.profile] in
                let profile = signedIn.state.profile
                return profile == .closed ? nil : ProfileScreen(user, isSigningOut: profile == .signingOut)
            })
        let controller = ProfileController(
            userInterface: ProfileView(in: app.root), observer: observer, useCases: self)
        observer.deliver(to: controller) { $0.received(viewState: $1) }
        return controller
    }
}

extension SignedInContainer: SignedInChildFactory {
    func makeGettingUserLocationController() -> any Controller {
        GettingUserLocationController.make(
            in: GettingUserLocationView(in: app.root),
            observing: StateSource(app.updates) { [signedIn] in
                ScreenViewState(.gettingUserLocation, signedIn.state)
            }, useCases: self)
    }

    func makePickMeUpController(pickupLocation: GeoPoint) -> any Controller {
        defer { plan = nil }
        return PickMeUpContainer(signedIn: self, pickupLocation: pickupLocation).makePickMeUpController(plan: plan)
    }

    func makeWaitingForPickupController(ride: Ride) -> any Controller {
        plan = nil
        return WaitingForPickupContainer(signedIn: self, ride: ride).makeWaitingForPickupController()
    }
}

extension SignedInContainer: FollowSessionUseCaseFactory, FindRideOrLocationUseCaseFactory, ProfileUseCaseFactory,
    FinishedPresentingErrorUseCaseFactory
{
    public func makeFollowSessionUseCase() -> any CancelableUseCase {
        UseCaseRun(
            FollowSessionUseCase(
                userSession: userSession, remoteAPI: app.remoteAPI, dataStore: app.dataStore, events: app.events))
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
                userSession: userSession, remoteAPI: app.remoteAPI, dataStore: app.dataStore, signedIn: signedIn,
                main: app.main, events: app.events))
    }

    public func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase {
        UseCaseRun(FinishedPresentingErrorUseCase(error: error, store: signedIn))
    }
}
