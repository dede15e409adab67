@MainActor
public protocol ProfileInteractionResponder: AnyObject {
    func showProfile()
    func closeProfile()
    func signOut()
}

public final class ProfileController: Controller, ProfileInteractionResponder {
    public typealias UseCases = PresentProfileUseCaseFactory & SignOutUseCaseFactory

    private let userInterface: any ProfileUserInterface
    private let useCases: any UseCases
    private var running: (any CancelableUseCase)?

    /// Its view states are brought by the observer of the screens beneath.
    public init(userInterface: any ProfileUserInterface, useCases: any UseCases) {
        self.userInterface = userInterface
        self.useCases = useCases
    }

    public func activate() {}

    public func deactivate() { running?.cancel() }

    public func received(newViewState: ProfileViewState) {
        userInterface.render(newState: newViewState)
    }

    public func showProfile() { useCases.makePresentProfileUseCase(isPresented: true).start() }

    public func closeProfile() { useCases.makePresentProfileUseCase(isPresented: false).start() }

    public func signOut() {
        running = useCases.makeSignOutUseCase()
        running?.start()
    }
}
