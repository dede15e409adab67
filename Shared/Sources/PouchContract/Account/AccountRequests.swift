import PouchEntities
import PouchWire

/// The body of `signUp`.
public struct SignUpRequest: Codable, Sendable, Equatable {
    public let name: String
    public let email: String
    public let mobileNumber: String?
    public let password: String

    public init(name: String, email: String, mobileNumber: String? = nil, password: String) {
        self.name = name
        self.email = email
        self.mobileNumber = mobileNumber
        self.password = password
    }
}

/// The body of `signIn`.
public struct SignInRequest: Codable, Sendable, Equatable {
    public let email: String
    public let password: String

    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}

/// The body of `refreshSession`.
public struct RefreshRequest: Codable, Sendable, Equatable {
    public let refreshToken: String

    public init(refreshToken: String) {
        self.refreshToken = refreshToken
    }
}

/// The body of `updateProfile`; the name can be set but not cleared.
public struct ProfilePatch: Codable, Sendable, Equatable {
    public let name: String?
    public let mobileNumber: FieldChange<String>
    public let avatarURL: FieldChange<String>

    public init(
        name: String? = nil, mobileNumber: FieldChange<String> = .keep, avatarURL: FieldChange<String> = .keep
    ) {
        self.name = name
        self.mobileNumber = mobileNumber
        self.avatarURL = avatarURL
    }

    private enum CodingKeys: CodingKey {
        case name, mobileNumber, avatarURL
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = container.contains(.name) ? try container.decode(String.self, forKey: .name) : nil
        mobileNumber = try container.decodeChange(String.self, forKey: .mobileNumber)
        avatarURL = try container.decodeChange(String.self, forKey: .avatarURL)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encode(mobileNumber, forKey: .mobileNumber)
        try container.encode(avatarURL, forKey: .avatarURL)
    }
}

/// The body of `deleteAccount`.
public struct DeleteAccountRequest: Codable, Sendable, Equatable {
    public let password: String

    public init(password: String) {
        self.password = password
    }
}

/// The body of `changePassword`.
public struct PasswordChangeRequest: Codable, Sendable, Equatable {
    public let currentPassword: String
    public let newPassword: String

    public init(currentPassword: String, newPassword: String) {
        self.currentPassword = currentPassword
        self.newPassword = newPassword
    }
}
