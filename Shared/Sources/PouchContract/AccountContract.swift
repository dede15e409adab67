import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    public static let signUp = Exchange<SignUpRequest, UserSession>(
        "signUp", .post, "/v1/accounts", .anyone, status: 201, [.acceptsGuestToken, .startsSession],
        problems: [.emailTaken],
        about: "Creates an account and signs in. With a guest's token, the guest's cart and orders move to the "
            + "account.")
    public static let signIn = Exchange<SignInRequest, UserSession>(
        "signIn", .post, "/v1/sessions", .anyone, status: 201, [.acceptsGuestToken, .startsSession],
        problems: [.invalidCredentials, .secondFactorRequired, .secondFactorInvalid, .tooManyAttempts],
        about: "Signs in to an account. With a guest's token, the guest's cart and orders move to the account.")
    public static let startGuestSession = Exchange<NoInput, UserSession>(
        "startGuestSession", .post, "/v1/sessions/guest", .anyone, status: 201, .startsSession,
        about: "Starts a guest session, which can fill a cart and buy without an account.")
    public static let refreshSession = Exchange<RefreshRequest, UserSession>(
        .refreshSession,
        problems: [.unauthenticated, .tokenExpired, .tokenReused],
        about: "Exchanges a refresh token for a new pair of tokens. Each refresh token works once.")
    public static let signOut = Exchange<NoInput, NoContent>(
        "signOut", .delete, "/v1/sessions/current", .guestOrCustomer, status: 204, .endsSession,
        about: "Ends the current session.")

    public static let profile = Exchange<NoInput, Profile>(
        "profile", .get, "/v1/account", .customer,
        about: "Returns the account's name and contact details.")
    public static let updateProfile = Exchange<ProfilePatch, Profile>(
        "updateProfile", .patch, "/v1/account", .customer,
        about: "Updates the fields in the body; null clears a field.")
    /// An account with a second factor must have confirmed it in the session within the last ten minutes. The same
    /// applies to changing the password or the e-mail address.
    public static let deleteAccount = Exchange<DeleteAccountRequest, NoContent>(
        "deleteAccount", .delete, "/v1/account", .customer, status: 204, .endsSession,
        problems: [.invalidCredentials, .tooManyAttempts, .lastOwner, .freshSignInRequired],
        about: "Deletes the account with its personal data and ends its sessions. The shop keeps its orders.")
    public static let changePassword = Exchange<PasswordChangeRequest, NoContent>(
        "changePassword", .put, "/v1/account/password", .customer, status: 204,
        problems: [.invalidCredentials, .tooManyAttempts, .freshSignInRequired],
        about: "Changes the password and ends all other sessions of the account.")

    static let accountExchanges: [any AnyExchange] = [
        signUp, signIn, startGuestSession, refreshSession, signOut,
        profile, updateProfile, deleteAccount, changePassword,
    ]
}

/// The body of `signUp`.
public struct SignUpRequest: JSONModel, Equatable, FieldsDescribed {
    public let name: String
    public let email: String
    public let mobileNumber: String?
    public let password: String

    public static let fieldFacts: [String: FieldFact] = [
        "name": .text, "email": .email, "mobileNumber": .telephone, "password": .length(ModelLimits.passwordLength),
    ]

    public init(name: String, email: String, mobileNumber: String? = nil, password: String) {
        self.name = name
        self.email = email
        self.mobileNumber = mobileNumber
        self.password = password
    }

    public static let json = JSONObject(
        SignUpRequest.init, .field("name", \.name), .field("email", \.email), .field("mobileNumber", \.mobileNumber),
        .field("password", \.password))
}

/// The body of `signIn`.
public struct SignInRequest: JSONModel, Equatable {
    public let email: String
    public let password: String
    /// The code of the second factor, if the account has one: six digits, or a recovery code. Without it, the correct
    /// password gets `second_factor_required`.
    public let code: String?

    public init(email: String, password: String, code: String? = nil) {
        self.email = email
        self.password = password
        self.code = code
    }

    public static let json = JSONObject(
        SignInRequest.init, .field("email", \.email), .field("password", \.password), .field("code", \.code))
}

/// The body of `refreshSession`.
public struct RefreshRequest: JSONModel, Equatable {
    public let refreshToken: String

    public init(refreshToken: String) {
        self.refreshToken = refreshToken
    }

    public static let json = JSONObject(RefreshRequest.init, .field("refreshToken", \.refreshToken))
}

/// The body of `updateProfile`.
public struct ProfilePatch: JSONModel, Equatable, FieldsDescribed {
    public let name: String?
    public let mobileNumber: FieldChange<String>
    public let avatarURL: FieldChange<String>

    public static let fieldFacts: [String: FieldFact] = ["name": .text, "mobileNumber": .telephone]

    public init(
        name: String? = nil, mobileNumber: FieldChange<String> = .keep, avatarURL: FieldChange<String> = .keep
    ) {
        self.name = name
        self.mobileNumber = mobileNumber
        self.avatarURL = avatarURL
    }

    public static let json = JSONObject(
        ProfilePatch.init, .nonNull("name", \.name), .field("mobileNumber", \.mobileNumber),
        .field("avatarURL", \.avatarURL))
}

/// The body of `deleteAccount`.
public struct DeleteAccountRequest: JSONModel, Equatable {
    public let password: String

    public init(password: String) {
        self.password = password
    }

    public static let json = JSONObject(DeleteAccountRequest.init, .field("password", \.password))
}

/// The body of `changePassword`.
public struct PasswordChangeRequest: JSONModel, Equatable, FieldsDescribed {
    public let currentPassword: String
    public let newPassword: String

    public static let fieldFacts: [String: FieldFact] = ["newPassword": .length(ModelLimits.passwordLength)]

    public init(currentPassword: String, newPassword: String) {
        self.currentPassword = currentPassword
        self.newPassword = newPassword
    }

    public static let json = JSONObject(
        PasswordChangeRequest.init, .field("currentPassword", \.currentPassword), .field("newPassword", \.newPassword))
}
