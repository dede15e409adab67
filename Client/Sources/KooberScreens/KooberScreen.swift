import PouchEntities

/// All that a user sees at a time.
public struct KooberScreen: Hashable, Sendable {
    public var content: Content
    /// Lies over the content.
    public var profile: ProfileScreen?
    /// Lies over everything, until it is acknowledged. What came after it waits.
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

/// A form that is filled in, or was sent.
public struct FormScreen: Hashable, Sendable {
    public var inputsEnabled: Bool
    public var buttonEnabled: Bool
    public var isBusy: Bool

    public init(inputsEnabled: Bool = true, buttonEnabled: Bool = true, isBusy: Bool = false) {
        self.inputsEnabled = inputsEnabled
        self.buttonEnabled = buttonEnabled
        self.isBusy = isBusy
    }
}

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

/// What went wrong.
public struct ErrorNote: Hashable, Sendable {
    public var title: String
    public var message: String

    public init(title: String, message: String) {
        self.title = title
        self.message = message
    }
}
