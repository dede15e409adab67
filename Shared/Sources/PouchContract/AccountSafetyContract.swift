import PouchEntities
import PouchJSON
import PouchWire

/// Forgotten passwords, e-mail addresses, sessions, and the owner's own data.
extension Contract {
    /// The response is the same whether or not the address has an account. If it has one, an e-mail with a token
    /// follows.
    public static let requestPasswordReset = Exchange<PasswordResetRequest, NoContent>(
        "requestPasswordReset", .post, "/v1/password-resets", .anyone, status: 202,
        about: "Sends an e-mail with a token for a new password. The response is the same for an address without an "
            + "account.")
    public static let resetPassword = Exchange<NewPasswordRequest, NoContent>(
        "resetPassword", .put, "/v1/password-resets", .anyone, status: 204, problems: [.linkInvalid],
        about: "Sets a new password with the token from the e-mail, and ends all sessions of the account.")

    public static let requestVerification = Exchange<NoInput, NoContent>(
        "requestVerification", .post, "/v1/account/verification", .customer, status: 202, .readsOnly,
        problems: [.alreadyVerified],
        about: "Resends the verification e-mail to the account's address.")
    public static let verifyEmail = Exchange<VerificationRequest, NoContent>(
        "verifyEmail", .put, "/v1/account/verification", .anyone, status: 204, problems: [.linkInvalid, .emailTaken],
        about: "Verifies the address that the token was sent to.")
    public static let changeEmail = Exchange<EmailChangeRequest, NoContent>(
        "changeEmail", .put, "/v1/account/email", .customer, status: 202,
        problems: [.invalidCredentials, .tooManyAttempts, .emailTaken, .freshSignInRequired],
        about: "Sends an e-mail to a new address, which replaces the old one once its token is confirmed.")

    public static let accountSessions = Exchange<PageQuery, Page<AccountSession>>(
        "accountSessions", .get, "/v1/account/sessions", .customer,
        about: "Lists the account's active sessions, latest first.")
    public static let endSession = Exchange<NoInput, NoContent>(
        "endSession", .delete, "/v1/account/sessions/{id}", .customer, status: 204,
        about: "Ends one session of the account.")

    public static let exportAccount = Exchange<NoInput, AccountExport>(
        "exportAccount", .get, "/v1/account/export", .customer,
        about: "Exports all data that the shop stores about the account's owner.")

    static let accountSafetyExchanges: [any AnyExchange] = [
        requestPasswordReset, resetPassword, requestVerification, verifyEmail, changeEmail, accountSessions, endSession,
        exportAccount,
    ]
}

/// The body of `requestPasswordReset`.
public struct PasswordResetRequest: JSONModel, Equatable, FieldsDescribed {
    public let email: String

    public static let fieldFacts: [String: FieldFact] = ["email": .email]

    public init(email: String) {
        self.email = email
    }

    public static let json = JSONObject(PasswordResetRequest.init, .field("email", \.email))
}

/// The body of `resetPassword`.
public struct NewPasswordRequest: JSONModel, Equatable, FieldsDescribed {
    /// The token from the e-mail.
    public let token: String
    public let newPassword: String

    public static let fieldFacts: [String: FieldFact] = [
        "newPassword": .length(ModelLimits.passwordLength), "token": VerificationRequest.tokenExample,
    ]

    public init(token: String, newPassword: String) {
        self.token = token
        self.newPassword = newPassword
    }

    public static let json = JSONObject(
        NewPasswordRequest.init, .field("token", \.token), .field("newPassword", \.newPassword))
}

/// The body of `verifyEmail`.
public struct VerificationRequest: JSONModel, Equatable, FieldsDescribed {
    /// The token from the e-mail.
    public let token: String

    static let tokenExample = FieldFact.example("lnk_01jz6b1w8fq0.1798761600000.bWFj")
    public static let fieldFacts: [String: FieldFact] = ["token": tokenExample]

    public init(token: String) {
        self.token = token
    }

    public static let json = JSONObject(VerificationRequest.init, .field("token", \.token))
}

/// The body of `changeEmail`.
public struct EmailChangeRequest: JSONModel, Equatable, FieldsDescribed {
    /// The new address. It takes effect when the token sent to it is confirmed with `verifyEmail`.
    public let email: String
    public let password: String

    public static let fieldFacts: [String: FieldFact] = ["email": .email]

    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }

    public static let json = JSONObject(
        EmailChangeRequest.init, .field("email", \.email), .field("password", \.password))
}
