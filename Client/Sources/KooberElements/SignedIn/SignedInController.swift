import KooberKit
import PouchEntities

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

    /// - Parameter observer: of what the profile shows, too.
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
    /// With all that lives from the known location to the request.
    func makePickMeUpController(pickupLocation: GeoPoint) -> any Controller
    func makeWaitingForPickupController(ride: Ride) -> any Controller
}
