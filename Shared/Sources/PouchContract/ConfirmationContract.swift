import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    /// Confirms the password of the session, so that for ten minutes the session may make calls that need a fresh
    /// sign-in.
    public static let confirmSession = Exchange<ConfirmationRequest, NoContent>(
        "confirmSession", .post, "/v1/sessions/current/confirmation", .customer, status: 204, .readsOnly,
        problems: [.invalidCredentials, .secondFactorRequired, .secondFactorInvalid, .tooManyAttempts])

    public static let secondFactor = Exchange<NoInput, SecondFactor>(
        "secondFactor", .get, "/v1/account/second-factor", .customer)
    /// Makes a secret, which replaces one that was not confirmed.
    public static let beginSecondFactor = Exchange<NoInput, SecondFactorSecret>(
        "beginSecondFactor", .post, "/v1/account/second-factor", .customer, status: 201, [.freshSignIn, .secretAnswer],
        problems: [.secondFactorEnabled])
    /// Enables the second factor with a first code of the new secret.
    public static let enableSecondFactor = Exchange<CodeRequest, RecoveryCodes>(
        "enableSecondFactor", .post, "/v1/account/second-factor/confirmation", .customer, status: 201,
        [.freshSignIn, .secretAnswer],
        problems: [.notFound, .secondFactorEnabled, .secondFactorInvalid, .tooManyAttempts])
    public static let removeSecondFactor = Exchange<NoInput, NoContent>(
        "removeSecondFactor", .delete, "/v1/account/second-factor", .customer, status: 204, .freshSignIn,
        problems: [.notFound])

    static let confirming: [any AnyExchange] = [
        confirmSession, secondFactor, beginSecondFactor, enableSecondFactor, removeSecondFactor,
    ]
}

/// The body of `confirmSession`.
public struct ConfirmationRequest: Sendable, Equatable {
    public let password: String
    /// Of the second factor, if the account has one: six digits, or a recovery code.
    public let code: String?

    public init(password: String, code: String? = nil) {
        self.password = password
        self.code = code
    }
}

extension ConfirmationRequest: JSONModel {
    public static let json = JSONObject(
        ConfirmationRequest.init, .field("password", \.password), .field("code", \.code))
}

/// The body of `enableSecondFactor`.
public struct CodeRequest: Sendable, Equatable, FieldsDescribed {
    public let code: String

    public static let fieldFacts: [String: FieldFact] = ["code": .pattern("^[0-9]{6}$", example: "287082")]

    public init(code: String) {
        self.code = code
    }
}

extension CodeRequest: JSONModel {
    public static let json = JSONObject(CodeRequest.init, .field("code", \.code))
}
