import KooberKit
import PouchEntities

/// The state that the screens of one session share.
public struct SignedInState: PresentsErrors {
    /// The stages of each ride.
    public enum Screen: Sendable, Equatable {
        case gettingUserLocation
        case pickMeUp(pickupLocation: GeoPoint)
        /// Carries the ride as it was requested or found.
        case waitingForPickup(Ride)
    }

    /// Covers the screen, which goes on beneath it.
    public enum Profile: Sendable, Equatable {
        case closed
        case open
        case signingOut
    }

    public var screen = Screen.gettingUserLocation
    public var profile = Profile.closed
    /// The errors of finding the user's location. The later screens have stores of their own.
    public var errors: [ErrorMessage] = []
}

/// Shows the screen that the signed-in state names, with the profile over it.
final class SignedInController: Controller {
    private let observer: any Observer
    private let profile: any Controller
    private let useCases: any FollowSessionUseCaseFactory
    private let children: any SignedInChildFactory
    private let following = RunningUseCases()
    private var screen: SignedInState.Screen?
    private var child: (any Controller)? {
        didSet {
            oldValue?.deactivate()
            child?.activate()
        }
    }

    /// - Parameter observer: delivers to the profile, too.
    init(
        observer: any Observer, profile: any Controller, useCases: any FollowSessionUseCaseFactory,
        children: any SignedInChildFactory
    ) {
        self.observer = observer
        self.profile = profile
        self.useCases = useCases
        self.children = children
    }

    func activate() {
        profile.activate()
        observer.startObserving()
        following.start(useCases.makeFollowSessionUseCase())
    }

    func deactivate() {
        observer.stopObserving()
        following.cancel()
        profile.deactivate()
        child = nil
    }

    func received(newState: SignedInState) {
        guard newState.screen != screen else { return }
        screen = newState.screen
        child = nil
        child =
            switch newState.screen {
            case .gettingUserLocation: children.makeGettingUserLocationController()
            case .pickMeUp(let pickupLocation): children.makePickMeUpController(pickupLocation: pickupLocation)
            case .waitingForPickup(let ride): children.makeWaitingForPickupController(ride: ride)
            }
    }
}

@MainActor
protocol SignedInChildFactory: AnyObject {
    func makeGettingUserLocationController() -> any Controller
    func makePickMeUpController(pickupLocation: GeoPoint) -> any Controller
    func makeWaitingForPickupController(ride: Ride) -> any Controller
}

// MARK: Use case

/// Broadcasts the end of the session, unless the user signs out.
@MainActor
public protocol FollowSessionUseCaseFactory: AnyObject {
    func makeFollowSessionUseCase() -> any CancelableUseCase
}

struct FollowSessionUseCase: UseCaseSteps {
    let userSession: UserSession
    let repository: any UserSessionRepository
    let endOfSession: Broadcaster<ErrorMessage>

    func execute(in run: UseCaseRun<Self>) {
        let ends = StreamSource { [userSession, repository] in repository.end(of: userSession) }
        run.follow(ends) { [endOfSession] event in
            if case .element(let error) = event { endOfSession.broadcast(error) }
        }
    }
}
