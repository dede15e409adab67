import KooberKit
import KooberScreens
import PouchEntities

/// Owns the objects that live as long as the app.
@MainActor
final class KooberAppDependencyContainer: MainViewControllerFactory {
    let model: any KooberModelFactory
    let sharedUserSessionRepository: any UserSessionRepository
    let sharedMainViewModel = MainViewModel()

    init(model: any KooberModelFactory) {
        self.model = model
        sharedUserSessionRepository = model.makeUserSessionRepository(dataStore: model.makeUserSessionDataStore())
    }

    func makeMainViewController() -> any ViewController<KooberScreen> {
        MainViewController(viewModel: sharedMainViewModel, viewControllerFactory: self)
    }

    func makeViewController(for view: MainView) -> any ViewController<KooberScreen> {
        switch view {
        case .launching:
            LaunchViewController(
                viewModel: LaunchViewModel(
                    userSessionRepository: sharedUserSessionRepository, notSignedInResponder: sharedMainViewModel,
                    signedInResponder: sharedMainViewModel))
        case .onboarding:
            KooberOnboardingDependencyContainer(appDependencyContainer: self).makeOnboardingViewController()
        case .signedIn(let userSession):
            KooberSignedInDependencyContainer(appDependencyContainer: self, userSession: userSession)
                .makeSignedInViewController()
        }
    }
}
