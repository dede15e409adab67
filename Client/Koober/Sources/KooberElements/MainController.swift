import KooberKit
import KooberScreens
import PouchEntities

/// The part of the app that is shown.
public enum MainState: Sendable, Equatable {
    case launching
    /// Contains the error that ended the previous part, if any.
    case onboarding(ErrorMessage?)
    case signedIn(UserSession)
}

/// An event that concerns more than one part of the app.
public enum AppEvent: Sendable, Equatable {
    case signedIn(UserSession.ID)
    /// The session has ended, but not by signing out.
    case sessionEnded(ErrorMessage)
    case signedOut
    case rideRequested(Ride.ID, option: RideOption.ID)
    case rideEnded(Ride.ID, RideStatus)
}

/// Shows the part of the app that the main state names, and releases the previous part.
final class MainController: ContainerController, ConnectivityEventResponder {
    private let userInterface: any MainUserInterface
    private let useCases: any PresentOnboardingUseCaseFactory
    private let children: any MainChildFactory

    init(
        userInterface: any MainUserInterface, observer: any Observer,
        useCases: any PresentOnboardingUseCaseFactory, children: any MainChildFactory
    ) {
        self.userInterface = userInterface
        self.useCases = useCases
        self.children = children
        super.init(observer: observer)
    }

    func received(newState: MainState) {
        show {
            userInterface.clear()
            return switch newState {
            case .launching: children.makeLaunchController()
            case .onboarding(let error): children.makeOnboardingController(error: error)
            case .signedIn(let userSession): children.makeSignedInController(userSession: userSession)
            }
        }
    }

    func received(event: AppEvent) {
        if case .sessionEnded(let error) = event { useCases.makePresentOnboardingUseCase(error: error).start() }
    }

    func connectivityDidChange(isOnline: Bool) {
        userInterface.render(isOffline: !isOnline)
    }
}

/// Creates the parts of the app, each with its own container.
@MainActor
protocol MainChildFactory: AnyObject {
    func makeLaunchController() -> any Controller
    func makeOnboardingController(error: ErrorMessage?) -> any Controller
    func makeSignedInController(userSession: UserSession) -> any Controller
}

/// The window, as the main controller knows it.
@MainActor
protocol MainUserInterface: AnyObject {
    /// Removes what the ending part shows over its screen.
    func clear()
    func render(isOffline: Bool)
}

// MARK: Use case

/// Shows the welcome screen to a user who is not signed in.
@MainActor
public protocol PresentOnboardingUseCaseFactory: AnyObject {
    /// - Parameter error: shown on the welcome screen.
    func makePresentOnboardingUseCase(error: ErrorMessage?) -> any UseCase
}

struct PresentOnboardingUseCase: UseCaseSteps {
    let error: ErrorMessage?
    let main: StateStore<MainState>

    func execute(in run: UseCaseRun<Self>) {
        main.update { $0 = .onboarding(error) }
    }
}
