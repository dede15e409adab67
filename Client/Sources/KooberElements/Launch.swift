import KooberKit
import KooberScreens
import PouchEntities

/// The state while the stored session is read.
public struct LaunchState: PresentsErrors {
    public var errors: [ErrorMessage] = []
}

typealias LaunchUseCases = LaunchUseCaseFactory & PresentOnboardingUseCaseFactory

/// The launch screen.
final class LaunchController: ScreenController<any ErrorInteractionResponder, ErrorViewState, any LaunchUseCases>,
    ErrorInteractionResponder
{
    required init(userInterface: UserInterface, observer: any Observer, useCases: any LaunchUseCases) {
        super.init(userInterface: userInterface, observer: observer, useCases: useCases)
        userInterface.interactionResponder = self
    }

    override func activate() {
        super.activate()
        running.start(useCases.makeLaunchUseCase())
    }

    /// Continues without a session if it could not be read.
    func finishedPresenting(_ error: ErrorMessage) {
        useCases.makePresentOnboardingUseCase(error: nil).start()
    }
}

// MARK: Use case

/// Reads the stored session, and shows onboarding or the signed-in app. Does nothing after the launch.
@MainActor
public protocol LaunchUseCaseFactory: AnyObject {
    func makeLaunchUseCase() -> any CancelableUseCase
}

struct LaunchUseCase: UseCaseSteps {
    let repository: any UserSessionRepository
    let launch: StateStore<LaunchState>
    let main: StateStore<MainState>

    func execute(in run: UseCaseRun<Self>) {
        guard main.state == .launching else { return }
        run.perform { [repository] () async throws(ErrorMessage) in
            try await repository.readUserSession()
        } then: { [main, launch] result in
            guard main.state == .launching else { return }
            switch result {
            case .success(let userSession?): main.update { $0 = .signedIn(userSession) }
            case .success(nil): main.update { $0 = .onboarding(nil) }
            case .failure(let error): launch.update { $0.errors.append(error) }
            }
        }
    }
}

// MARK: View

final class LaunchView: View, ScreenUserInterface {
    weak var interactionResponder: (any ErrorInteractionResponder)?

    func render(newState: ErrorViewState) {
        window.show(.launching, error: newState.error, in: self, errorResponder: interactionResponder)
    }
}
