import KooberKit
import KooberScreens
import PouchEntities

@MainActor
protocol ProfileInteractionResponder: AnyObject {
    func showProfile()
    func closeProfile()
    func signOut()
}

/// The profile, which covers the other screens, and the button that opens it.
final class ProfileController: Controller, ProfileInteractionResponder {
    /// Shows nothing for nil.
    typealias UserInterface = any KooberElements.UserInterface<any ProfileInteractionResponder, ProfileScreen?>
    private let userInterface: UserInterface
    private let observer: any Observer
    private let useCases: any ProfileUseCaseFactory
    private let running = RunningUseCases()

    init(userInterface: UserInterface, observer: any Observer, useCases: any ProfileUseCaseFactory) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
        userInterface.interactionResponder = self
    }

    func activate() { observer.startObserving() }

    func deactivate() {
        observer.stopObserving()
        running.cancel()
    }

    func received(viewState: ProfileScreen?) {
        userInterface.render(newState: viewState)
    }

    func showProfile() { useCases.makePresentProfileUseCase(isPresented: true).start() }

    func closeProfile() { useCases.makePresentProfileUseCase(isPresented: false).start() }

    func signOut() { running.start(useCases.makeSignOutUseCase()) }
}

// MARK: Use cases

@MainActor
public protocol ProfileUseCaseFactory: AnyObject {
    func makePresentProfileUseCase(isPresented: Bool) -> any UseCase
    func makeSignOutUseCase() -> any CancelableUseCase
}

/// Opens or closes the profile. Does nothing while the user is being signed out.
struct PresentProfileUseCase: UseCaseSteps {
    let isPresented: Bool
    let signedIn: StateStore<SignedInState>

    func execute(in run: UseCaseRun<Self>) {
        signedIn.update {
            guard $0.profile != .signingOut else { return }
            $0.profile = isPresented ? .open : .closed
        }
    }
}

/// Ends the session at the service and on this device, and shows the welcome screen. The session ends here even if the
/// service cannot be reached. Does nothing while the user is being signed out.
struct SignOutUseCase: UseCaseSteps {
    let userSession: UserSession
    let remoteAPI: any AuthRemoteAPI
    let dataStore: any UserSessionDataStore
    let signedIn: StateStore<SignedInState>
    let main: StateStore<MainState>
    let events: Broadcaster<AppEvent>

    func execute(in run: UseCaseRun<Self>) {
        guard signedIn.state.profile != .signingOut else { return }
        signedIn.update { $0.profile = .signingOut }
        run.perform {
            var failure: ErrorMessage?
            do throws(ErrorMessage) { try await remoteAPI.signOut(userSession) } catch { failure = error }
            do throws(ErrorMessage) { try await dataStore.delete(userSession) } catch { failure = failure ?? error }
            guard main.state == .signedIn(userSession) else { return }
            main.update { $0 = .onboarding(failure) }
            events.broadcast(.signedOut)
        }
    }
}
