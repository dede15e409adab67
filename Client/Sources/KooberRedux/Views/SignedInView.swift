import KooberScreens

@MainActor
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
