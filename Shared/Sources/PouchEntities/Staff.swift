import Foundation
@_exported import PouchAccess
import PouchJSON

extension StaffRole: OpenEnum {}

extension Permission: OpenEnum {}

/// A staff member, or a person who is invited to join the staff.
public struct StaffMember: JSONModel, Hashable, Identifiable {
    public enum Status: String, OpenEnum {
        case active
        /// An e-mail with a link was sent; the invitation ends at `invitationExpiresAt`.
        case invited
        case unrecognised
    }

    /// The id of the member's account, or of the invitation.
    public let id: String
    public let status: Status
    public let role: StaffRole
    public let email: String
    /// nil for an invited person.
    public let name: String?
    /// Whether signing in requires a code besides the password; nil for an invited person.
    public let hasSecondFactor: Bool?
    public let invitationExpiresAt: Date?

    public init(
        id: String, status: Status, role: StaffRole, email: String, name: String? = nil, hasSecondFactor: Bool? = nil,
        invitationExpiresAt: Date? = nil
    ) {
        self.id = id
        self.status = status
        self.role = role
        self.email = email
        self.name = name
        self.hasSecondFactor = hasSecondFactor
        self.invitationExpiresAt = invitationExpiresAt
    }

    public static let json = JSONObject(
        StaffMember.init, .field("id", \.id), .field("status", \.status), .field("role", \.role),
        .field("email", \.email), .field("name", \.name), .field("hasSecondFactor", \.hasSecondFactor),
        .field("invitationExpiresAt", \.invitationExpiresAt))
}

/// An API key with which a program calls the administration, without its secret.
public struct APIKey: JSONModel, Hashable, Identifiable {
    /// The id, which is also the actor in the audit log.
    public let id: String
    public let name: String
    public let scopes: [Permission]
    public let createdAt: Date
    /// The account or API key that created it.
    public let createdBy: String
    /// nil for a key that is valid until it is revoked.
    public let expiresAt: Date?
    /// The time of the last use, accurate to a minute; nil for a key that was never used.
    public let lastUsedAt: Date?

    public init(
        id: String, name: String, scopes: [Permission], createdAt: Date, createdBy: String, expiresAt: Date? = nil,
        lastUsedAt: Date? = nil
    ) {
        self.id = id
        self.name = name
        self.scopes = scopes
        self.createdAt = createdAt
        self.createdBy = createdBy
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
    }

    public static let json = JSONObject(
        APIKey.init, .field("id", \.id), .field("name", \.name), .field("scopes", \.scopes),
        .field("createdAt", \.createdAt), .field("createdBy", \.createdBy), .field("expiresAt", \.expiresAt),
        .field("lastUsedAt", \.lastUsedAt))
}

/// A new key with its secret, which is shown only this once.
public struct NewAPIKey: JSONModel, Hashable {
    public let key: APIKey
    /// The bearer token. A secret.
    public let token: String

    public init(key: APIKey, token: String) {
        self.key = key
        self.token = token
    }

    /// The JSON object contains the key at the same level as `token`.
    public static let json = JSONObject(NewAPIKey.init, .fields(of: \.key), .field("token", \.token))
}

/// The description and the mirror omit the secret, so that a log cannot leak it.
extension NewAPIKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "NewAPIKey(\(key.id))" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
