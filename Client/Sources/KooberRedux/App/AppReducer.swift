extension Reducers {
    public static func app(_ state: AppState, _ action: AppAction) -> AppState {
        switch (state, action) {
        case (.launching(let state), .launching(let action)):
            launching(state, action)
        case (.onboarding(let state), .onboarding(.signedIn(let session, let scope, let request))):
            state.isSending(request)
                ? .signedIn(SignedInState(scope: scope, userSession: session)) : .onboarding(state)
        case (.onboarding(let state), .onboarding(let action)):
            .onboarding(onboarding(state, action))
        case (.signedIn(let state), .signedIn(let scope, let action)) where state.scope == scope:
            session(state, action)
        case (_, .persistence(let action)):
            persistence(state, action)
        default:
            state
        }
    }

    private static func launching(_ state: LaunchingState, _ action: LaunchingAction) -> AppState {
        switch (state, action) {
        case (.readingUserSession, .finishedLaunchingApp(.notSignedIn)):
            .onboarding(OnboardingState())
        case (.readingUserSession, .finishedLaunchingApp(.signedIn(let session, let scope))):
            .signedIn(SignedInState(scope: scope, userSession: session))
        case (.readingUserSession, .failed(let error)):
            .launching(.failed(error))
        case (.failed(let error), .finishedPresenting(let id)) where error.id == id:
            .onboarding(OnboardingState())
        default:
            .launching(state)
        }
    }

    private static func session(_ state: SignedInState, _ action: SignedInAction) -> AppState {
        switch action {
        case .sessionEnded(let error):
            .onboarding(OnboardingState(errors: [error]))
        case .signedOut(let request, let error) where state.profile == .signingOut(request):
            .onboarding(OnboardingState(errors: [error].compactMap { $0 }))
        default:
            .signedIn(signedIn(state, action))
        }
    }
}
