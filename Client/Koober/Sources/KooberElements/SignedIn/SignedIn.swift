import KooberKit
import KooberScreens
import PouchEntities

/// The state that the screens of one session share.
public struct SignedInState: PresentsErrors {
    /// The stages of each ride.
    public enum Screen: Sendable, Equatable {
        case gettingUserLocation
        case pickMeUp(pickupLocation: GeoPoint)
        /// Contains the ride as requested or found.
        case waitingForPickup(Ride)
    }

    /// Covers the screen, which continues beneath it.
    public enum Profile: Sendable, Equatable {
        case closed
        case open
        case signingOut
    }

    public var screen = Screen.gettingUserLocation
    public var profile: Profile
    /// The errors of finding the user's location. The later screens have their own stores.
    public var errors: [ErrorMessage] = []

    public init(profile: Profile = .closed) {
        self.profile = profile
    }
}

/// Shows the screen that the signed-in state names, with the profile over it.
final class SignedInController: ContainerController {
    private let profile: any Controller
    private let useCases: any FollowSessionUseCaseFactory
    private let children: any SignedInChildFactory
    private let following = RunningUseCases()

    init(
        observer: any Observer, profile: any Controller, useCases: any FollowSessionUseCaseFactory,
        children: any SignedInChildFactory
    ) {
        self.profile = profile
        self.useCases = useCases
        self.children = children
        super.init(observer: observer)
    }

    override func activate() {
        super.activate()
        profile.activate()
        following.start(useCases.makeFollowSessionUseCase())
    }

    override func deactivate() {
        super.deactivate()
        profile.deactivate()
        following.cancel()
    }

    func received(newScreen: SignedInState.Screen) {
        show {
            switch newScreen {
            case .gettingUserLocation: children.makeGettingUserLocationController()
            case .pickMeUp(let pickupLocation): children.makePickMeUpController(pickupLocation: pickupLocation)
            case .waitingForPickup(let ride): children.makeWaitingForPickupController(ride: ride)
            }
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

/// Waits for the end of the session, removes the session from this device, and broadcasts the end. Ends without an
/// event when the user signs out.
@MainActor
public protocol FollowSessionUseCaseFactory: AnyObject {
    func makeFollowSessionUseCase() -> any CancelableUseCase
}

struct FollowSessionUseCase: UseCaseSteps {
    let userSession: UserSession
    let remoteAPI: any AuthRemoteAPI
    let dataStore: any UserSessionDataStore
    let events: Broadcaster<AppEvent>

    func execute(in run: UseCaseRun<Self>) {
        run.perform {
            for await error in remoteAPI.end(of: userSession) {
                try? await dataStore.delete(userSession)
                events.broadcast(.sessionEnded(error))
            }
        }
    }
}
