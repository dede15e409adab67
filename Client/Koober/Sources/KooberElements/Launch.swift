import KooberKit

/// The state while the stored session is read.
public struct LaunchState: PresentsErrors {
    public var errors: [ErrorMessage] = []
}

typealias LaunchUseCases = LaunchUseCaseFactory & PresentOnboardingUseCaseFactory

/// The launch screen.
final class LaunchController: ScreenController<any ErrorInteractionResponder, any LaunchUseCases>,
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
    let dataStore: any UserSessionDataStore
    let launch: StateStore<LaunchState>
    let main: StateStore<MainState>

    func execute(in run: UseCaseRun<Self>) {
        guard main.state == .launching else { return }
        run.perform {
            do throws(ErrorMessage) {
                let userSession = try await dataStore.readUserSession()
                main.update {
                    guard $0 == .launching else { return }
                    $0 = userSession.map(MainState.signedIn) ?? .onboarding(nil)
                }
            } catch {
                launch.update { $0.errors.append(error) }
            }
        }
    }
}
