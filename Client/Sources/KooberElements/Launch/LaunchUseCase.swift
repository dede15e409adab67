import KooberKit
import PouchEntities

/// Finds out who is signed in, and shows their part of the app. Does nothing after the launch.
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

    func begin() {
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
