import KooberKit
import PouchEntities

/// Shows the profile, and over it the onboarding when the user wants to sign in with another account.
@MainActor
public final class SignedInScreen {
    public let profile: ProfileScreen
    public private(set) var onboarding: OnboardingScreen?
    private let makeOnboardingScreen: () -> OnboardingScreen

    public init(profile: ProfileScreen, makeOnboardingScreen: @escaping () -> OnboardingScreen) {
        self.profile = profile
        self.makeOnboardingScreen = makeOnboardingScreen
    }

    /// Opens the onboarding. Signing in there replaces this screen with that of the other session.
    public func changeAccount() { onboarding = makeOnboardingScreen() }

    public func keepAccount() { onboarding = nil }
}

// MARK: Profile

public typealias ProfileScreen = Screen<ProfileViewModel>

/// The profile of one session. It receives the session when it is created, so it never checks whether a user is signed
/// in.
@MainActor
public final class ProfileViewModel {
    public let userSession: UserSession
    public let userSessionRepository: any UserSessionRepository
    private let notSignedInResponder: any NotSignedInResponder

    public init(
        userSession: UserSession, userSessionRepository: any UserSessionRepository,
        notSignedInResponder: any NotSignedInResponder
    ) {
        self.userSession = userSession
        self.userSessionRepository = userSessionRepository
        self.notSignedInResponder = notSignedInResponder
    }

    /// Signs out on this device in any case.
    ///
    /// - Throws: the failure of the service or the store.
    public func signOut() async throws(ErrorMessage) {
        defer { notSignedInResponder.notSignedIn() }
        try await userSessionRepository.signOut(userSession)
    }
}
