import KooberKit
import KooberScreens
import PouchEntities

/// The interactions that concern the whole session, on all of its screens.
@MainActor
public protocol SignedInUserInteractions: AnyObject {
    /// Follows the system, which goes back from the topmost view.
    func goBack()
}

final class ReduxSignedInUserInteractions: SignedInUserInteractions {
    private let actionDispatcher: any ActionDispatcher<SignedInAction>
    private let effects: EffectRunner<SignedInEffect>

    init(
        userSession: UserSession, state: StatePublisher<SignedInState>,
        actionDispatcher: any ActionDispatcher<SignedInAction>, remoteAPI: any AuthRemoteAPI
    ) {
        self.actionDispatcher = actionDispatcher
        effects = EffectRunner(state.select(\.effects), to: actionDispatcher) { effect, dispatch in
            switch effect {
            case .followSession:
                for await error in remoteAPI.end(of: userSession) { dispatch(.sessionEnded(error)) }
            case .signOut:
                do throws(ErrorMessage) {
                    try await remoteAPI.signOut(userSession)
                    dispatch(.signedOut(nil))
                } catch {
                    dispatch(.signedOut(error))
                }
            case .gettingUserLocation, .pickMeUp, .waitingForPickup: break
            }
        }
    }

    func goBack() { actionDispatcher.dispatch(.wentBack) }
}

/// The stage of the ride.
enum SignedInContent: Equatable, Sendable {
    case gettingUserLocation
    case pickMeUp
    case waitingForPickup
}

extension SignedInState {
    var content: SignedInContent {
        switch step {
        case .gettingUserLocation: .gettingUserLocation
        case .pickMeUp: .pickMeUp
        case .waitingForPickup: .waitingForPickup
        }
    }
}

/// The view of the current stage, with the profile over it.
final class SignedInView: StateView {
    private let userInteractions: any SignedInUserInteractions
    private let viewFactory: any SignedInViewFactory
    private let profile: ProfileView
    private var child: StateView?

    init(
        content: StatePublisher<SignedInContent>, userInteractions: any SignedInUserInteractions,
        viewFactory: any SignedInViewFactory, in display: any Display
    ) {
        self.userInteractions = userInteractions
        self.viewFactory = viewFactory
        profile = viewFactory.makeProfileView(in: display)
        super.init(in: display)
        render(content) { [weak self] content in
            self?.child =
                switch content {
                case .gettingUserLocation: viewFactory.makeGettingUserLocationView(in: display)
                case .pickMeUp: viewFactory.makePickMeUpView(in: display)
                case .waitingForPickup: viewFactory.makeWaitingForPickupView(in: display)
                }
        }
    }

    override func perform(_ intention: Intention) {
        switch intention {
        case .goBack: userInteractions.goBack()
        case .showProfile, .closeProfile, .signOut: profile.perform(intention)
        default: child?.perform(intention)
        }
    }
}

@MainActor
protocol SignedInViewFactory: AnyObject {
    func makeProfileView(in display: any Display) -> ProfileView
    func makeGettingUserLocationView(in display: any Display) -> StateView
    func makePickMeUpView(in display: any Display) -> StateView
    func makeWaitingForPickupView(in display: any Display) -> StateView
}

extension KooberScreen.Content {
    init(_ step: SignedInState.Step) {
        self =
            switch step {
            case .gettingUserLocation: .gettingUserLocation
            case .pickMeUp(let state): .pickMeUp(PickMeUpScreen(state))
            case .waitingForPickup(let state): .waitingForPickup(WaitingScreen(state))
            }
    }
}
