import KooberKit
import PouchEntities

/// Shows the part of the app that the main state names, and lets go of the one before.
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
        // What was there goes before anything new is made.
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

/// Makes the parts of the app, each with all that lives in its scope.
@MainActor
protocol MainChildFactory: AnyObject {
    func makeLaunchController() -> any Controller
    func makeOnboardingController(error: ErrorMessage?) -> any Controller
    func makeSignedInController(userSession: UserSession) -> any Controller
}
