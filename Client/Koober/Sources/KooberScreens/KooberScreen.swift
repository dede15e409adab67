@_exported import enum KooberKit.FormField
import KooberTexts
import PouchEntities

/// Everything that the user sees at one moment. It consists of displayable values, the status of a ride and locations,
/// without any other entity or text in a language.
public struct KooberScreen: Codable, Hashable, Sendable {
    public var content: Content
    /// Covers the content.
    public var profile: ProfileScreen?
    /// Covers everything until it is acknowledged. Later errors wait.
    public var error: ErrorNote?
    /// Whether the service cannot be reached.
    public var isOffline: Bool

    public enum Content: Codable, Hashable, Sendable {
        case launching
        case welcome
        case signIn(FormScreen)
        case signUp(FormScreen)
        case gettingUserLocation
        case pickMeUp(PickMeUpScreen)
        case waitingForPickup(WaitingScreen)
    }

    public init(
        _ content: Content, profile: ProfileScreen? = nil, error: ErrorNote? = nil, isOffline: Bool = false
    ) {
        self.content = content
        self.profile = profile
        self.error = error
        self.isOffline = isOffline
    }
}

public struct ErrorNote: Codable, Hashable, Sendable {
    public var title: Phrase
    public var message: Phrase

    public init(title: Phrase, message: Phrase) {
        self.title = title
        self.message = message
    }
}

/// The sign-in or sign-up form, without the input of the user.
public struct FormScreen: Codable, Hashable, Sendable {
    /// Whether the form is being sent. Its fields and its button are then disabled.
    public var isBusy: Bool
    /// The problems of the last input, by field. The cursor belongs in the first of these fields.
    public var problems: [FormField: Phrase]

    public init(isBusy: Bool = false, problems: [FormField: Phrase] = [:]) {
        self.isBusy = isBusy
        self.problems = problems
    }
}

/// The profile of the signed-in user.
public struct ProfileScreen: Codable, Hashable, Sendable {
    public var name: String
    public var email: String
    /// May be empty.
    public var mobileNumber: String
    /// The address of a picture, for a rendering that loads pictures. Other renderings show the initials.
    public var avatar: String?
    public var isSigningOut: Bool

    /// - Parameter profile: nil for a session without one.
    public init(_ profile: Profile?, isSigningOut: Bool = false) {
        name = profile?.name ?? ""
        email = profile?.email ?? ""
        mobileNumber = profile?.mobileNumber ?? ""
        avatar = profile?.avatarURL
        self.isSigningOut = isSigningOut
    }

    /// The first letters of the first and the last name, which replace the picture.
    public var initials: String {
        let letters = name.split(separator: " ").compactMap(\.first)
        return [letters.first, letters.dropFirst().last].compactMap { $0 }.map { $0.uppercased() }.joined()
    }
}
