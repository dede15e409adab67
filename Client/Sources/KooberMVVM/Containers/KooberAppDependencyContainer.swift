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
    private let made: ObjectRegister

    init(model: any KooberModelFactory, lifetimes: (any LifetimeObserver)?) {
        self.model = model
        self.lifetimes = lifetimes
        made = ObjectRegister(scope: .app, lifetimes: lifetimes)
        let dataStore = made(model.makeUserSessionDataStore())
        sharedUserSessionRepository = made(model.makeUserSessionRepository(dataStore: dataStore))
        sharedMainViewModel = made(MainViewModel())
        made(self)
    }

    func makeMainViewController() -> any ViewController<KooberScreen> {
        made(MainViewController(viewModel: sharedMainViewModel, makeChild: makeViewController))
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
        let made = ObjectRegister(scope: .launch, lifetimes: lifetimes)
        return made(
            LaunchViewController(
                viewModel: made(
                    LaunchViewModel(
                        userSessionRepository: sharedUserSessionRepository, notSignedInResponder: sharedMainViewModel,
                        signedInResponder: sharedMainViewModel))))
    }
}
