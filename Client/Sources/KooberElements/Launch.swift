import KooberKit
import KooberScreens
import PouchEntities

/// The state while the stored session is read.
public struct LaunchState: PresentsErrors {
    public var errors: [ErrorMessage] = []

    public init() {}
}

/// The launch screen.
@MainActor
protocol LaunchUserInterface: AnyObject {
    var interactionResponder: (any ErrorInteractionResponder)? { get set }
    func render(newState: LaunchViewState)
}

struct LaunchViewState: Sendable, Equatable {
    let error: ErrorMessage?

    init(_ state: LaunchState) {
        error = state.errors.first
    }
}

final class LaunchController: ScreenController, ErrorInteractionResponder {
    typealias UseCases = LaunchUseCaseFactory & PresentOnboardingUseCaseFactory

    private let userInterface: any LaunchUserInterface
    private let observer: any Observer
    private let useCases: any UseCases
    private let running = RunningUseCases()

    init(userInterface: any LaunchUserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
        userInterface.interactionResponder = self
    }

    func activate() {
        observer.startObserving()
        running.start(useCases.makeLaunchUseCase())
    }

    func deactivate() {
        observer.stopObserving()
        running.cancel()
    }

    func received(newState: LaunchViewState) {
        userInterface.render(newState: newState)
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

final class LaunchUseCase: SingleRunUseCase, Cancelable {
    let run = UseCaseRun()
    private let repository: any UserSessionRepository
    private let launch: StateStore<LaunchState>
    private let main: StateStore<MainState>

    init(repository: any UserSessionRepository, launch: StateStore<LaunchState>, main: StateStore<MainState>) {
        self.repository = repository
        self.launch = launch
        self.main = main
    }

    func execute() {
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

final class LaunchView: LaunchUserInterface, View {
    weak var interactionResponder: (any ErrorInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: LaunchViewState) {
        window.show(.launching, error: newState.error, in: self, errorResponder: interactionResponder)
    }
}
