import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    /// Confirms the password of the session, which may then make calls that need a fresh sign-in for ten minutes.
    public static let confirmSession = Exchange<ConfirmationRequest, NoContent>(
        "confirmSession", .post, "/v1/sessions/current/confirmation", .customer, status: 204, .readsOnly,
        problems: [.invalidCredentials, .secondFactorRequired, .secondFactorInvalid, .tooManyAttempts],
        about: "Confirms the session's password, which allows sensitive calls for ten minutes.")

    public static let secondFactor = Exchange<NoInput, SecondFactor>(
        "secondFactor", .get, "/v1/account/second-factor", .customer,
        about: "Returns whether the account has a second factor, and how many recovery codes are left.")
    /// Creates a secret, which replaces an unconfirmed one.
    public static let beginSecondFactor = Exchange<NoInput, SecondFactorSecret>(
        "beginSecondFactor", .post, "/v1/account/second-factor", .customer, status: 201, [.freshSignIn, .secretAnswer],
        problems: [.secondFactorEnabled],
        about: "Creates a secret for an authenticator app. It takes effect once one of its codes is confirmed.")
    /// Enables the second factor with a first code of the new secret.
    public static let enableSecondFactor = Exchange<CodeRequest, RecoveryCodes>(
        "enableSecondFactor", .post, "/v1/account/second-factor/confirmation", .customer, status: 201,
        [.freshSignIn, .secretAnswer],
        problems: [.notFound, .secondFactorEnabled, .secondFactorInvalid, .tooManyAttempts],
        about: "Enables the second factor with its first code. Only this response contains the recovery codes.")
    public static let removeSecondFactor = Exchange<NoInput, NoContent>(
        "removeSecondFactor", .delete, "/v1/account/second-factor", .customer, status: 204, .freshSignIn,
        problems: [.notFound],
        about: "Removes the second factor.")

    static let confirmationExchanges: [any AnyExchange] = [
        confirmSession, secondFactor, beginSecondFactor, enableSecondFactor, removeSecondFactor,
    ]
}

/// The body of `confirmSession`.
public struct ConfirmationRequest: JSONModel, Equatable {
    public let password: String
    /// The code of the second factor, if the account has one: six digits, or a recovery code.
    public let code: String?

    public init(password: String, code: String? = nil) {
        self.password = password
        self.code = code
    }

    public static let json = JSONObject(
        ConfirmationRequest.init, .field("password", \.password), .field("code", \.code))
}

/// The body of `enableSecondFactor`.
public struct CodeRequest: JSONModel, Equatable, FieldsDescribed {
    public let code: String

    public static let fieldFacts: [String: FieldFact] = ["code": .pattern("^[0-9]{6}$", example: "287082")]

    public init(code: String) {
        self.code = code
    }

    public static let json = JSONObject(CodeRequest.init, .field("code", \.code))
}
