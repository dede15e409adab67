import PouchEntities
import PouchJSON
import PouchWire

/// Forgotten passwords, e-mail addresses, sessions, and the owner's own data.
extension Contract {
    /// The answer is the same whether or not the address has an account. If it has, a mail with a token follows.
    public static let requestPasswordReset = Exchange<PasswordResetRequest, NoContent>(
        "requestPasswordReset", .post, "/v1/password-resets", .anyone, status: 202)
    public static let resetPassword = Exchange<NewPasswordRequest, NoContent>(
        "resetPassword", .put, "/v1/password-resets", .anyone, status: 204, problems: [.linkInvalid])

    public static let requestVerification = Exchange<NoInput, NoContent>(
        "requestVerification", .post, "/v1/account/verification", .customer, status: 202, .readsOnly,
        problems: [.alreadyVerified])
    public static let verifyEmail = Exchange<VerificationRequest, NoContent>(
        "verifyEmail", .put, "/v1/account/verification", .anyone, status: 204, problems: [.linkInvalid, .emailTaken])
    public static let changeEmail = Exchange<EmailChangeRequest, NoContent>(
        "changeEmail", .put, "/v1/account/email", .customer, status: 202,
        problems: [.invalidCredentials, .tooManyAttempts, .emailTaken, .freshSignInRequired])

    public static let accountSessions = Exchange<PageQuery, Page<AccountSession>>(
        "accountSessions", .get, "/v1/account/sessions", .customer)
    public static let endSession = Exchange<NoInput, NoContent>(
        "endSession", .delete, "/v1/account/sessions/{id}", .customer, status: 204)

    public static let exportAccount = Exchange<NoInput, AccountExport>(
        "exportAccount", .get, "/v1/account/export", .customer)

    static let accountSafety: [any AnyExchange] = [
        requestPasswordReset, resetPassword, requestVerification, verifyEmail, changeEmail, accountSessions, endSession,
        exportAccount,
    ]
}

/// The body of `requestPasswordReset`.
public struct PasswordResetRequest: Sendable, Equatable, FieldsDescribed {
    public let email: String

    public static let fieldFacts: [String: FieldFact] = ["email": .email]

    public init(email: String) {
        self.email = email
    }
}

extension PasswordResetRequest: JSONModel {
    public static let json = JSONObject(PasswordResetRequest.init, .field("email", \.email))
}

/// The body of `resetPassword`.
public struct NewPasswordRequest: Sendable, Equatable, FieldsDescribed {
    /// From the mail.
    public let token: String
    public let newPassword: String

    public static let fieldFacts: [String: FieldFact] = [
        "newPassword": .length(ModelLimits.passwordLength), "token": VerificationRequest.tokenExample,
    ]

    public init(token: String, newPassword: String) {
        self.token = token
        self.newPassword = newPassword
    }
}

extension NewPasswordRequest: JSONModel {
    public static let json = JSONObject(
        NewPasswordRequest.init, .field("token", \.token), .field("newPassword", \.newPassword))
}

/// The body of `verifyEmail`.
public struct VerificationRequest: Sendable, Equatable, FieldsDescribed {
    /// From the mail.
    public let token: String

    static let tokenExample = FieldFact.example("lnk_01jz6b1w8fq0.1798761600000.bWFj")
    public static let fieldFacts: [String: FieldFact] = ["token": tokenExample]

    public init(token: String) {
        self.token = token
    }
}

extension VerificationRequest: JSONModel {
    public static let json = JSONObject(VerificationRequest.init, .field("token", \.token))
}

/// The body of `changeEmail`.
public struct EmailChangeRequest: Sendable, Equatable, FieldsDescribed {
    /// The new address. It counts once the token of the mail to it is confirmed with `verifyEmail`.
    public let email: String
    public let password: String

    public static let fieldFacts: [String: FieldFact] = ["email": .email]

    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}

extension EmailChangeRequest: JSONModel {
    public static let json = JSONObject(
        EmailChangeRequest.init, .field("email", \.email), .field("password", \.password))
}
