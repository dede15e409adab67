/// Opens or closes the profile. Does nothing while somebody is being signed out.
@MainActor
public protocol PresentProfileUseCaseFactory: AnyObject {
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
        signedIn.update {
            guard $0.profile != .signingOut else { return }
            $0.profile = isPresented ? .open : .closed
        }
    }
}
