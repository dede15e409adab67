import KooberKit

/// Begins anew for somebody who is not signed in.
@MainActor
public protocol PresentOnboardingUseCaseFactory: AnyObject {
    /// - Parameter error: shown with it.
    func makePresentOnboardingUseCase(error: ErrorMessage?) -> any UseCase
}

final class PresentOnboardingUseCase: SingleRunUseCase {
    let run = UseCaseRun()
    private let error: ErrorMessage?
    private let main: StateStore<MainState>

    init(error: ErrorMessage?, main: StateStore<MainState>) {
        self.error = error
        self.main = main
    }

    func begin() {
        main.update { $0 = .onboarding(error) }
    }
}
