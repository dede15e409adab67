import PouchEntities

/// Everything that the user sees at one moment.
public struct KooberScreen: Hashable, Sendable {
    public var content: Content
    /// Covers the content.
    public var profile: ProfileScreen?
    /// Covers everything until it is acknowledged. Later errors wait.
    public var error: ErrorNote?

    public enum Content: Hashable, Sendable {
        case launching
        case welcome
        case signIn(FormScreen)
        case signUp(FormScreen)
        case gettingUserLocation
        case pickMeUp(PickMeUpScreen)
        case waitingForPickup(WaitingScreen)
    }

    public init(_ content: Content, profile: ProfileScreen? = nil, error: ErrorNote? = nil) {
        self.content = content
        self.profile = profile
        self.error = error
    }
}

public struct ErrorNote: Hashable, Sendable {
    public var title: String
    public var message: String

    public init(title: String, message: String) {
        self.title = title
        self.message = message
    }
}

public struct FormScreen: Hashable, Sendable {
    public var inputsEnabled: Bool
    public var buttonEnabled: Bool
    /// Whether the form is being sent.
    public var isBusy: Bool

    public init(inputsEnabled: Bool = true, buttonEnabled: Bool = true, isBusy: Bool = false) {
        self.inputsEnabled = inputsEnabled
        self.buttonEnabled = buttonEnabled
        self.isBusy = isBusy
    }
}

/// The profile of the signed-in user.
public struct ProfileScreen: Hashable, Sendable {
    public var name: String
    public var email: String
    /// May be empty.
    public var mobileNumber: String
    public var isSigningOut: Bool

    public init(name: String, email: String, mobileNumber: String, isSigningOut: Bool = false) {
        self.name = name
        self.email = email
        self.mobileNumber = mobileNumber
        self.isSigningOut = isSigningOut
    }
}

/// A requested ride, until the user starts the next one.
public struct WaitingScreen: Hashable, Sendable {
    public var ride: Ride
    public var isCancelling: Bool

    public init(ride: Ride, isCancelling: Bool = false) {
        self.ride = ride
        self.isCancelling = isCancelling
    }
}
