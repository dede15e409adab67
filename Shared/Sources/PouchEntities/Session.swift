import Foundation
import PouchJSON

/// A session of a guest, customer or administrator, with its tokens.
public struct UserSession: JSONModel, Codable, Hashable, Identifiable {
    public let id: String
    public let kind: SessionKind
    /// nil for a guest.
    public var profile: Profile?
    public let remoteSession: RemoteSession
    /// The role at the time of the sign-in or the last refresh; nil for guests and customers. Only a hint for a screen:
    /// the server decides by the person's current role.
    public let role: StaffRole?

    public init(
        id: String, kind: SessionKind, profile: Profile?, remoteSession: RemoteSession, role: StaffRole? = nil
    ) {
        self.id = id
        self.kind = kind
        self.profile = profile
        self.remoteSession = remoteSession
        self.role = role
    }

    public static let json = JSONObject(
        UserSession.init(id:kind:profile:remoteSession:role:), .field("id", \.id), .field("kind", \.kind),
        .field("profile", \.profile), .field("remoteSession", \.remoteSession), .field("role", \.role))
}

/// The kind of principal that a session belongs to.
public enum SessionKind: String, OpenEnum {
    /// A principal without an account, with its own cart and orders.
    case guest
    case customer
    case admin
    case unrecognised
}

/// The name and contact details of an account's owner.
public struct Profile: JSONModel, Codable, Hashable, Identifiable {
    public let id: String
    public var name: String
    public var email: String
    public var mobileNumber: String?
    public var avatarURL: String?
    /// Whether the owner has shown that e-mails reach the address. nil from a server of an earlier version.
    public var emailVerified: Bool?

    public init(
        id: String, name: String, email: String, mobileNumber: String? = nil, avatarURL: String? = nil,
        emailVerified: Bool? = nil
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.mobileNumber = mobileNumber
        self.avatarURL = avatarURL
        self.emailVerified = emailVerified
    }

    public static let json = JSONObject(
        Profile.init, .field("id", \.id), .field("name", \.name), .field("email", \.email),
        .field("mobileNumber", \.mobileNumber), .field("avatarURL", \.avatarURL),
        .field("emailVerified", \.emailVerified))
}

/// The tokens of a session. Both are secrets.
public struct RemoteSession: JSONModel, Hashable {
    /// The token sent with every request.
    public let accessToken: String
    public let accessTokenExpiresAt: Date
    /// The token exchanged once for the next pair of tokens.
    public let refreshToken: String
    public let refreshTokenExpiresAt: Date

    public init(accessToken: String, accessTokenExpiresAt: Date, refreshToken: String, refreshTokenExpiresAt: Date) {
        self.accessToken = accessToken
        self.accessTokenExpiresAt = accessTokenExpiresAt
        self.refreshToken = refreshToken
        self.refreshTokenExpiresAt = refreshTokenExpiresAt
    }

    public static let json = JSONObject(
        RemoteSession.init, .field("accessToken", \.accessToken),
        .field("accessTokenExpiresAt", \.accessTokenExpiresAt), .field("refreshToken", \.refreshToken),
        .field("refreshTokenExpiresAt", \.refreshTokenExpiresAt))
}

/// The description and the mirror omit the tokens, so that a log cannot leak them.
extension RemoteSession: CustomStringConvertible, CustomReflectable {
    public var description: String { "RemoteSession(expires \(refreshTokenExpiresAt))" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A password. Its description and mirror omit the text, so that a log cannot leak it.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    public let text: String

    public init(_ text: String = "") {
        self.text = text
    }

    public var isEmpty: Bool { text.isEmpty }
    public var description: String { "Secret" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
