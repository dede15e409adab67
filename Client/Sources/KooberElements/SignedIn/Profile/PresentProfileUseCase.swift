@MainActor
public protocol PresentProfileUseCaseFactory: AnyObject {
    /// Opens or closes the profile.
    func makePresentProfileUseCase(isPresented: Bool) -> any UseCase
}

final class PresentProfileUseCase: SingleRunUseCase {
    let run = UseCaseRun()
    private let isPresented: Bool
    private let signedIn: StateStore<SignedInState>

    init(isPresented: Bool, signedIn: StateStore<SignedInState>) {
        self.isPresented = isPresented
        self.signedIn = signedIn
    }

    func begin() {
        signedIn.update { $0.profile = isPresented ? .open : .closed }
    }
}
