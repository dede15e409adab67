import KooberKit
import KooberScreens
import PouchEntities

/// Owns what lives as long as the app.
@MainActor
final class KooberAppDependencyContainer {
    let model: any KooberModelFactory
    let lifetimes: (any LifetimeObserver)?
    let sharedUserSessionRepository: any UserSessionRepository
    let sharedMainViewModel: MainViewModel
    private let register: ObjectRegister

    init(model: any KooberModelFactory, lifetimes: (any LifetimeObserver)?) {
        self.model = model
        self.lifetimes = lifetimes
        register = ObjectRegister(scope: .app, lifetimes: lifetimes)
        let dataStore = register.made(model.makeUserSessionDataStore())
        sharedUserSessionRepository = register.made(model.makeUserSessionRepository(dataStore: dataStore))
        sharedMainViewModel = register.made(MainViewModel())
        register.made(self)
    }

    func makeMainViewController() -> any ViewController<KooberScreen> {
        register.made(MainViewController(viewModel: sharedMainViewModel, makeChild: makeViewController))
    }

    private func makeViewController(for view: MainView) -> any ViewController<KooberScreen> {
        switch view {
        case .launching: makeLaunchViewController()
        case .onboarding:
            KooberOnboardingDependencyContainer(appDependencyContainer: self).makeOnboardingViewController()
        case .signedIn(let userSession):
            KooberSignedInDependencyContainer(appDependencyContainer: self, userSession: userSession)
                .makeSignedInViewController()
        }
    }

    private func makeLaunchViewController() -> any ViewController<KooberScreen> {
        register.made(
            LaunchViewController(
                viewModel: register.made(
                    LaunchViewModel(
                        userSessionRepository: sharedUserSessionRepository, notSignedInResponder: sharedMainViewModel,
                        signedInResponder: sharedMainViewModel))))
    }
}
