@MainActor
public protocol StartNewRideUseCaseFactory: AnyObject {
    /// Leaves the ride that has ended, and finds out anew where the user is.
    func makeStartNewRideUseCase() -> any UseCase
}

final class StartNewRideUseCase: SingleRunUseCase {
    let run = UseCaseRun()
    private let signedIn: StateStore<SignedInState>

    init(signedIn: StateStore<SignedInState>) {
        self.signedIn = signedIn
    }

    func begin() {
        signedIn.update { $0.screen = .gettingUserLocation }
    }
}
