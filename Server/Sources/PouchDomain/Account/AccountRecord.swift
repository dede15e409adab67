import Foundation
import PouchEntities

/// An account as it is kept.
public struct AccountRecord: Sendable, Equatable {
    public enum Role: String, Sendable {
        case customer
        case admin
    }

    public let id: String
    public let role: Role
    public var name: String
    /// In the form of `EmailAddress`, by which accounts are unique.
    public let email: String
    public var mobileNumber: String?
    public var avatarURL: String?
    /// As `PasswordHasher` made it.
    public var passwordHash: String
    public let createdAt: Date

    public init(
        id: String,
        role: Role,
        name: String,
        email: String,
        mobileNumber: String?,
        avatarURL: String? = nil,
        passwordHash: String,
        createdAt: Date
    ) {
        self.id = id
        self.role = role
        self.name = name
        self.email = email
        self.mobileNumber = mobileNumber
        self.avatarURL = avatarURL
        self.passwordHash = passwordHash
        self.createdAt = createdAt
    }

    public var profile: Profile {
        Profile(id: id, name: name, email: email, mobileNumber: mobileNumber, avatarURL: avatarURL)
    }
}
