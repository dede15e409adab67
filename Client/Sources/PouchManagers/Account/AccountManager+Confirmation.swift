import PouchData
import PouchEntities

/// The confirmation of a session's password, and the second factor of staff.
///
///     do throws(DataError) {
///         try await pouch.admin.refund(orderId: id, draft)
///     } catch where error.reason == .freshSignInRequired {
///         try await pouch.account.confirm(password: await askForPassword())
///         try await pouch.admin.refund(orderId: id, draft)
///     }
extension AccountManager {
    /// Confirms the password, and the second factor if the account has one. For the next ten minutes, the session may
    /// make calls that require a fresh sign-in, such as refunds.
    ///
    /// - Throws: `.wrongPassword`, `.secondFactorRequired`, `.secondFactorInvalid`.
    public func confirm(password: String, code: String? = nil) async throws(DataError) {
        try await data.confirmSession(password: password, code: code)
    }

    public func secondFactor() async throws(DataError) -> SecondFactor {
        try await data.secondFactor()
    }

    /// Creates a secret for an authenticator app. It takes effect once `enableSecondFactor` receives a valid code.
    ///
    /// - Throws: `.freshSignInRequired`, `.secondFactorEnabled`, `.forbidden` for a customer.
    public func beginSecondFactor() async throws(DataError) -> SecondFactorSecret {
        try await data.beginSecondFactor()
    }

    /// Enables the second factor with a first code.
    ///
    /// - Returns: the recovery codes, which are shown only once.
    /// - Throws: `.freshSignInRequired`, `.secondFactorInvalid`, `.notFound` before `beginSecondFactor`.
    public func enableSecondFactor(code: String) async throws(DataError) -> [String] {
        try await data.enableSecondFactor(code: code).codes
    }

    /// - Throws: `.freshSignInRequired`, `.notFound` without a second factor.
    public func removeSecondFactor() async throws(DataError) {
        try await data.removeSecondFactor()
    }

    /// Accepts an invitation to the staff. Sign in afterwards.
    ///
    /// - Parameters:
    ///   - token: the token of the link in the e-mail.
    ///   - password: the new password of a new account, or the current one of an existing account.
    ///   - name: the name of a new account.
    /// - Throws: `.linkInvalid`, `.invalidCredentials`.
    public func acceptInvitation(token: String, password: String, name: String? = nil) async throws(DataError) {
        try await data.acceptInvitation(token: token, password: password, name: name)
    }
}
