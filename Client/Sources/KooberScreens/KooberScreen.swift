/// All that a user sees at a time.
public struct KooberScreen: Hashable, Sendable {
    public var content: Content
    /// Lies over the content.
    public var profile: ProfileScreen?
    /// Lies over everything, until it is acknowledged. What came after it waits.
    public var error: ErrorNote?

    /// What is shown by itself, with nothing over it.
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
