import PouchJSON

/// Whether an account needs a one-time code besides its password.
public struct SecondFactor: JSONModel, Hashable {
    public let isEnabled: Bool
    /// The number of unused recovery codes.
    public let recoveryCodesLeft: Int
    /// Whether the shop requires a second factor of its staff, and the account is a staff account. nil from a server of
    /// an earlier version.
    public let isRequired: Bool?

    public init(isEnabled: Bool, recoveryCodesLeft: Int, isRequired: Bool? = nil) {
        self.isEnabled = isEnabled
        self.recoveryCodesLeft = recoveryCodesLeft
        self.isRequired = isRequired
    }

    public static let json = JSONObject(
        SecondFactor.init, .field("isEnabled", \.isEnabled), .field("recoveryCodesLeft", \.recoveryCodesLeft),
        .field("isRequired", \.isRequired))
}

/// The secret of a second factor, for a program that generates one-time codes (RFC 6238). It takes effect once a code
/// of it is confirmed, and is never shown again.
public struct SecondFactorSecret: JSONModel, Hashable {
    /// The secret in base 32, for typing.
    public let secret: String
    /// An `otpauth://` URI, often shown as a QR code.
    public let uri: String

    public init(secret: String, uri: String) {
        self.secret = secret
        self.uri = uri
    }

    public static let json = JSONObject(SecondFactorSecret.init, .field("secret", \.secret), .field("uri", \.uri))
}

/// The description and the mirror omit the secret, so that a log cannot leak it.
extension SecondFactorSecret: CustomStringConvertible, CustomReflectable {
    public var description: String { "SecondFactorSecret" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Codes that each replace one code of the second factor, for a lost device. They are shown only this once.
public struct RecoveryCodes: JSONModel, Hashable {
    public let codes: [String]

    public init(codes: [String]) {
        self.codes = codes
    }

    public static let json = JSONObject(RecoveryCodes.init, .field("codes", \.codes))
}

/// The description and the mirror omit the codes, so that a log cannot leak them.
extension RecoveryCodes: CustomStringConvertible, CustomReflectable {
    public var description: String { "RecoveryCodes(\(codes.count))" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
