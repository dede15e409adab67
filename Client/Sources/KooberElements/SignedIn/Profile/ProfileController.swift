@MainActor
protocol ProfileInteractionResponder: AnyObject {
    func showProfile()
    func closeProfile()
    func signOut()
}

final class ProfileController: Controller, ProfileInteractionResponder {
    typealias UseCases = PresentProfileUseCaseFactory & SignOutUseCaseFactory

    private let userInterface: any ProfileUserInterface
    private let useCases: any UseCases
    private let running = RunningUseCases()

    /// Its view states are brought by the observer of the screens beneath.
    init(userInterface: any ProfileUserInterface, useCases: any UseCases) {
        self.userInterface = userInterface
        self.useCases = useCases
        userInterface.interactionResponder = self
    }

    func activate() {}

    func deactivate() { running.cancel() }

    func received(newState: ProfileViewState) {
        userInterface.render(newState: newState)
    }

    func showProfile() { useCases.makePresentProfileUseCase(isPresented: true).start() }

    func closeProfile() { useCases.makePresentProfileUseCase(isPresented: false).start() }

    func signOut() { running.start(useCases.makeSignOutUseCase()) }
}
