import KooberKit
import PouchEntities

@MainActor
public protocol LaunchUseCaseFactory: AnyObject {
    /// Finds out who is signed in, and shows their part of the app.
    func makeLaunchUseCase() -> any UseCase
}

final class LaunchUseCase: SingleRunUseCase {
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
        run.perform { [repository] () async throws(ErrorMessage) in
            try await repository.readUserSession()
        } then: { [self] result in
            switch result {
            case .success(let userSession?): main.update { $0 = .signedIn(userSession) }
            case .success(nil): main.update { $0 = .onboarding(nil) }
            case .failure(let error): launch.update { $0.errors.append(error) }
            }
        }
    }
}
