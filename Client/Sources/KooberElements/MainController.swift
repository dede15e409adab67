import KooberKit
import PouchEntities

/// The part of the app that is shown.
public enum MainState: Sendable, Equatable {
    case launching
    /// Carries the error that ended the part before, if any.
    case onboarding(ErrorMessage?)
    case signedIn(UserSession)
}

/// Shows the part of the app that the main state names, and releases the part before.
final class MainController: Controller {
    private let userInterface: any MainUserInterface
    private let observer: any Observer
    private let useCases: any PresentOnboardingUseCaseFactory
    private let children: any MainChildFactory
    private var child: (any Controller)? {
        didSet {
            oldValue?.deactivate()
            child?.activate()
        }
    }

    init(
        userInterface: any MainUserInterface, observer: any Observer,
        useCases: any PresentOnboardingUseCaseFactory, children: any MainChildFactory
    ) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
        self.children = children
    }

    func activate() { observer.startObserving() }

    func deactivate() {
        observer.stopObserving()
        child = nil
    }

    func received(newState: MainState) {
        userInterface.clear()
        // The old part ends before the new one is made.
        child = nil
        child =
            switch newState {
            case .launching: children.makeLaunchController()
            case .onboarding(let error): children.makeOnboardingController(error: error)
            case .signedIn(let userSession): children.makeSignedInController(userSession: userSession)
            }
    }

    func received(endOfSession error: ErrorMessage) {
        useCases.makePresentOnboardingUseCase(error: error).start()
    }
}

/// Makes the parts of the app, each with a container of its own.
@MainActor
protocol MainChildFactory: AnyObject {
    func makeLaunchController() -> any Controller
    func makeOnboardingController(error: ErrorMessage?) -> any Controller
    func makeSignedInController(userSession: UserSession) -> any Controller
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
