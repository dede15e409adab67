import KooberKit
import KooberScreens
import PouchEntities

@MainActor
struct SignedInUserInteractions {
    let userSession: UserSession
    let actionDispatcher: any ActionDispatcher<SignedInAction>
    let userSessionRepository: any UserSessionRepository
    private let following = LatestTask()

    /// Reports the end of the session, unless the user signs out.
    func followSession() {
        let end = userSessionRepository.end(of: userSession)
        following.run { [actionDispatcher] in
            for await message in end {
                actionDispatcher.dispatch(.sessionEnded(actionDispatcher.numbered(message)))
            }
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id))
    }
}

// MARK: View

final class SignedInView: StateView {
    private let content: StatePublisher<SignedInContent>
    private let profileState: LatestState<ProfileState>
    private let userInteractions: SignedInUserInteractions
    private let profile: ProfileUserInteractions
    private let viewFactory: any SignedInViewFactory
    private var subscription: StateSubscription?
    private var child: (any StateView)?

    init(
        content: StatePublisher<SignedInContent>,
        profileState: StatePublisher<ProfileState>,
        userInteractions: SignedInUserInteractions,
        profile: ProfileUserInteractions,
        viewFactory: any SignedInViewFactory
    ) {
        self.content = content
        self.profileState = LatestState(profileState)
        self.userInteractions = userInteractions
        self.profile = profile
        self.viewFactory = viewFactory
    }

    func appear() {
        userInteractions.followSession()
        subscription = content.subscribe { [weak self] in self?.show($0) }
    }

    private func show(_ content: SignedInContent) {
        child =
            switch content {
            case .gettingUserLocation(let scope): viewFactory.makeGettingUserLocationView(scope: scope)
            case .pickMeUp(let scope, let location):
                viewFactory.makePickMeUpView(scope: scope, pickupLocation: location)
            case .waitingForPickup(let scope): viewFactory.makeWaitingForPickupView(scope: scope)
            }
        child?.appear()
    }

    func perform(_ intention: Intention) {
        switch intention {
        case .showProfile: profile.showProfile()
        case .closeProfile: profile.closeProfile()
        case .goBack where profileState.value == .shown: profile.closeProfile()
        case .signOut: profile.signOut()
        default: child?.perform(intention)
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        userInteractions.finishedPresenting(error)
        child?.finishedPresenting(error)
    }
}

@MainActor
protocol SignedInViewFactory {
    func makeGettingUserLocationView(scope: SerialNumber) -> any StateView
    func makePickMeUpView(scope: SerialNumber, pickupLocation: GeoPoint) -> any StateView
    func makeWaitingForPickupView(scope: SerialNumber) -> any StateView
}

/// The screen under the profile.
enum SignedInContent: Equatable, Sendable {
    case gettingUserLocation(scope: SerialNumber)
    case pickMeUp(scope: SerialNumber, pickupLocation: GeoPoint)
    case waitingForPickup(scope: SerialNumber)
}

extension SignedInState {
    var content: SignedInContent {
        switch step {
        case .gettingUserLocation(let state): .gettingUserLocation(scope: state.scope)
        case .pickMeUp(let state): .pickMeUp(scope: state.scope, pickupLocation: state.pickupLocation)
        case .waitingForPickup(let state): .waitingForPickup(scope: state.scope)
        }
    }
}

extension KooberScreen.Content {
    init(_ step: SignedInState.Step) {
        self =
            switch step {
            case .gettingUserLocation: .gettingUserLocation
            case .pickMeUp(let state): .pickMeUp(PickMeUpScreen(state))
            case .waitingForPickup(let state):
                .waitingForPickup(WaitingScreen(ride: state.ride, isCancelling: state.cancellation != nil))
            }
    }
}
