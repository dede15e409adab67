import PouchEntities
import PouchJSON
import PouchWire

/// Forgotten passwords, e-mail addresses, sessions, and the owner's own data.
extension Contract {
    /// The answer is the same whether or not the address has an account. If it has, a mail with a token follows.
    public static let requestPasswordReset = Exchange<PasswordResetRequest, NoContent>(
        .requestPasswordReset, status: 202)
    public static let resetPassword = Exchange<NewPasswordRequest, NoContent>(
        .resetPassword, status: 204, problems: [.linkInvalid])

    public static let requestVerification = Exchange<NoBody, NoContent>(
        .requestVerification, status: 202, .readsOnly, problems: [.alreadyVerified])
    public static let verifyEmail = Exchange<VerificationRequest, NoContent>(
        .verifyEmail, status: 204, problems: [.linkInvalid, .emailTaken])
    public static let changeEmail = Exchange<EmailChangeRequest, NoContent>(
        .changeEmail, status: 202,
        problems: [.invalidCredentials, .tooManyAttempts, .emailTaken, .freshSignInRequired])

    public static let accountSessions = Exchange<NoBody, Page<AccountSession>>(.accountSessions)
    public static let endSession = Exchange<NoBody, NoContent>(.endSession, status: 204)

    public static let exportAccount = Exchange<NoBody, AccountExport>(.exportAccount)

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
