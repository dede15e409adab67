import KooberScreens

extension KooberScreen {
    /// Whether nothing is under way that the screen waits for; a ride takes its time, and does not count.
    var isSettled: Bool {
        error != nil || (content.isSettled && profile?.isSigningOut != true)
    }
}

extension KooberScreen.Content {
    fileprivate var isSettled: Bool {
        switch self {
        case .launching, .gettingUserLocation: false
        case .welcome: true
        case .signIn(let form), .signUp(let form): !form.isBusy
        case .pickMeUp(let screen): screen.step.isSettled
        case .waitingForPickup(let screen): !screen.isCancelling
        }
    }
}

extension PickMeUpScreen.Step {
    fileprivate var isSettled: Bool {
        switch self {
        case .initial: true
        case .selectDropoffLocation(let picker): !picker.isSearching
        case .selectRideOption(let picker), .confirmRequest(let picker): !picker.isLoading
        case .sendingRideRequest: false
        }
    }
}
