import KooberTexts
import PouchEntities

/// An action of the user.
public enum Intention: Hashable, Sendable {
    case goToSignUp
    case goToSignIn
    /// Returns to the previous screen with the system's back button, gesture or key.
    case goBack
    case signIn(email: String, password: Secret)
    case signUp(name: String, email: String, mobileNumber: String, password: Secret)
    /// Opens the drop-off picker.
    case chooseDropoff
    case searchDropoffs(String)
    /// With the name of a shown result.
    case selectDropoff(String)
    case cancelDropoff
    /// With the id of a shown option.
    case selectRideOption(String)
    case confirmRide
    case cancelRide
    case startNewRide
    case showProfile
    case closeProfile
    case signOut
    case acknowledgeError
}

extension KooberScreen {
    /// Whether the user can do this on the screen.
    public func offers(_ intention: Intention) -> Bool {
        if error != nil { return intention == .acknowledgeError }
        if let profile {
            return !profile.isSigningOut && [.closeProfile, .signOut, .goBack].contains(intention)
        }
        return content.offers(intention)
    }

    /// The intention that leads to the previous screen, or nil.
    public var backIntention: Intention? {
        if offers(.goBack) { return .goBack }
        // The ride options lead back to the drop-off picker.
        guard case .pickMeUp(let screen) = content, screen.dropoff != nil, offers(.chooseDropoff) else {
            return nil
        }
        return .chooseDropoff
    }
}

extension KooberScreen.Content {
    fileprivate func offers(_ intention: Intention) -> Bool {
        switch (self, intention) {
        case (.welcome, .goToSignIn), (.welcome, .goToSignUp): true
        case (.signIn(let form), .signIn), (.signUp(let form), .signUp): !form.isBusy
        case (.signIn(let form), .goBack), (.signUp(let form), .goBack): !form.isBusy
        case (.pickMeUp(let screen), .showProfile): screen.step != .sendingRideRequest
        case (.waitingForPickup, .showProfile), (.gettingUserLocation, .showProfile): true
        case (.pickMeUp(let screen), _): screen.step.offers(intention)
        case (.waitingForPickup(let screen), .cancelRide): !screen.isCancelling && screen.ride.status.isCancellable
        case (.waitingForPickup(let screen), .startNewRide): screen.ride.status.isFinal
        default: false
        }
    }
}

extension PickMeUpScreen.Step {
    fileprivate func offers(_ intention: Intention) -> Bool {
        switch (self, intention) {
        case (.initial, .chooseDropoff), (.selectDropoffLocation, .searchDropoffs): true
        case (.selectDropoffLocation, .cancelDropoff), (.selectDropoffLocation, .goBack): true
        case (.selectDropoffLocation(let picker), .selectDropoff(let name)):
            picker.results.contains { $0.name == .verbatim(name) }
        case (.selectRideOption, .chooseDropoff), (.confirmRequest, .chooseDropoff): true
        case (.selectRideOption(let picker), .selectRideOption(let id)),
            (.confirmRequest(let picker), .selectRideOption(let id)):
            picker.options.contains { $0.id == id }
        case (.confirmRequest, .confirmRide): true
        default: false
        }
    }
}
