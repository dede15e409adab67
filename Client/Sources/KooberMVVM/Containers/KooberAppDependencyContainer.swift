import KooberKit
import KooberScreens
import PouchEntities

/// Owns what lives as long as the app.
@MainActor
final class KooberAppDependencyContainer: MainViewControllerFactory {
    let model: any KooberModelFactory
    let sharedUserSessionRepository: any UserSessionRepository
    let sharedMainViewModel: MainViewModel

    init(model: any KooberModelFactory) {
        self.model = model
        let dataStore = model.makeUserSessionDataStore()
        sharedUserSessionRepository = model.makeUserSessionRepository(dataStore: dataStore)
        sharedMainViewModel = MainViewModel()
    }

    func makeMainViewController() -> any ViewController<KooberScreen> {
        MainViewController(viewModel: sharedMainViewModel, viewControllerFactory: self)
    }

    func makeViewController(for view: MainView) -> any ViewController<KooberScreen> {
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
        LaunchViewController(
            viewModel: LaunchViewModel(
                userSessionRepository: sharedUserSessionRepository, notSignedInResponder: sharedMainViewModel,
                signedInResponder: sharedMainViewModel))
    }
}
