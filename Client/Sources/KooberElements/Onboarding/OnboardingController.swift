/// Shows the screen that the onboarding state names.
final class OnboardingController: Controller {
    private let observer: any Observer
    private let children: any OnboardingChildFactory
    private var child: (any Controller)? {
        didSet {
            oldValue?.deactivate()
            child?.activate()
        }
    }

    init(observer: any Observer, children: any OnboardingChildFactory) {
        self.observer = observer
        self.children = children
    }

    func activate() { observer.startObserving() }

    func deactivate() {
        observer.stopObserving()
        child = nil
    }

    func received(newScreen: OnboardingState.Screen) {
        child =
            switch newScreen {
            case .welcome: children.makeWelcomeController()
            case .signIn: children.makeSignInController()
            case .signUp: children.makeSignUpController()
            }
    }
}

@MainActor
protocol OnboardingChildFactory: AnyObject {
    func makeWelcomeController() -> any Controller
    func makeSignInController() -> any Controller
    func makeSignUpController() -> any Controller
}
