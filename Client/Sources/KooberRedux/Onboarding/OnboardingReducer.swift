extension Reducers {
    /// For all but the end of onboarding.
    static func onboarding(_ state: OnboardingState, _ action: OnboardingAction) -> OnboardingState {
        var state = state
        switch action {
        case .goToSignIn: if state.screen == .welcoming { state.screen = .signingIn(FormState()) }
        case .goToSignUp: if state.screen == .welcoming { state.screen = .signingUp(FormState()) }
        case .returnedToWelcome: if state.form?.progress == .idle { state.screen = .welcoming }
        case .form(let action): state.form = state.form.map { form($0, action) }
        case .finishedPresenting(let id):
            state.errors.removeAll { $0.id == id }
            state.form?.errors.removeAll { $0.id == id }
        case .signedIn: break
        }
        return state
    }
}
