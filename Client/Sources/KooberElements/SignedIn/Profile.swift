import KooberKit
import KooberScreens
import PouchEntities

/// The state of the profile view, which covers the other screens while it is presented.
struct ProfileViewState: Sendable, Equatable {
    /// Empty, like the e-mail address, for a session without a profile.
    let name: String
    let email: String
    /// May be empty.
    let mobileNumber: String
    let isPresented: Bool
    let isSigningOut: Bool

    init(_ state: SignedInState.Profile, of profile: Profile?) {
        name = profile?.name ?? ""
        email = profile?.email ?? ""
        mobileNumber = profile?.mobileNumber ?? ""
        isPresented = state != .closed
        isSigningOut = state == .signingOut
    }
}

@MainActor
protocol ProfileInteractionResponder: AnyObject {
    func showProfile()
    func closeProfile()
    func signOut()
}

/// The profile, which covers the other screens, and the button that opens it.
final class ProfileController: Controller, ProfileInteractionResponder {
    typealias UserInterface = any ScreenUserInterface<any ProfileInteractionResponder, ProfileViewState>
    private let userInterface: UserInterface
    private let useCases: any ProfileUseCaseFactory
    private let running = RunningUseCases()

    /// The observer of the signed-in controller delivers its states.
    init(userInterface: UserInterface, useCases: any ProfileUseCaseFactory) {
        self.userInterface = userInterface
        self.useCases = useCases
        userInterface.interactionResponder = self
    }

    func activate() {}

    func deactivate() { running.cancel() }

    func received(viewState: ProfileViewState) {
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

/// Ends the session on this device even if the service cannot be reached, and shows the welcome screen. Does nothing
/// while the user is being signed out.
struct SignOutUseCase: UseCaseSteps {
    let userSession: UserSession
    let repository: any UserSessionRepository
    let signedIn: StateStore<SignedInState>
    let main: StateStore<MainState>

    func execute(in run: UseCaseRun<Self>) {
        guard signedIn.state.profile != .signingOut else { return }
        signedIn.update { $0.profile = .signingOut }
        run.perform { [userSession, repository] () async throws(ErrorMessage) in
            try await repository.signOut(userSession: userSession)
        } then: { [main, userSession] result in
            main.update {
                // A session that started in between stays.
                guard $0 == .signedIn(userSession) else { return }
                switch result {
                case .success: $0 = .onboarding(nil)
                case .failure(let error): $0 = .onboarding(error)
                }
            }
        }
    }
}

// MARK: View

final class ProfileView: View, ScreenUserInterface {
    weak var interactionResponder: (any ProfileInteractionResponder)?
    private var isPresented = false

    func render(newState: ProfileViewState) {
        isPresented = newState.isPresented
        let screen = ProfileScreen(
            name: newState.name, email: newState.email, mobileNumber: newState.mobileNumber,
            isSigningOut: newState.isSigningOut)
        window.show(isPresented ? screen : nil, in: self)
    }

    override func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .showProfile: interactionResponder?.showProfile()
        case .closeProfile: interactionResponder?.closeProfile()
        case .goBack where isPresented: interactionResponder?.closeProfile()
        case .signOut: interactionResponder?.signOut()
        default: return false
        }
        return true
    }
}
