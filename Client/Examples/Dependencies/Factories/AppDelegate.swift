import KooberKit
import KooberOnboarding

/// The root of the process.
@MainActor
public final class AppDelegate {
    public let mainScreen: MainScreen

    public init() {
        mainScreen = KooberObjectFactories().makeMainScreen(
            viewModel: globalMainViewModel, userSessionRepository: globalUserSessionRepository)
    }
}

// Factories keep no objects, so that objects which outlive one call have to be globals.

let globalUserSessionRepository: any UserSessionRepository = KooberObjectFactories().makeUserSessionRepository()

@MainActor
let globalMainViewModel = KooberObjectFactories().makeMainViewModel()
