import PouchData
import PouchEntities

/// Forgotten passwords, e-mail addresses, sessions, and the owner's own data.
extension AccountManager {
    // MARK: A forgotten password

    /// Requests an e-mail with a token for a new password. It succeeds whether or not the address has an account, so
    /// that the response does not reveal which addresses have one.
    ///
    ///     try await pouch.account.requestPasswordReset(email: "ada@example.com")
    ///     // The e-mail contains the token.
    ///     try await pouch.account.resetPassword(token: token, to: "battery staple")
    ///
    /// - Throws: `.validation` for a text that is not an e-mail address, `.tooManyAttempts` after several requests.
    public func requestPasswordReset(email: String) async throws(DataError) {
        try await data.requestPasswordReset(email: email)
    }

    /// Sets a new password and ends all sessions of the account. Sign in with it afterwards.
    ///
    /// - Throws: `.linkInvalid` for a token that is wrong, was already used, or is older than 30 minutes;
    ///   `.validation`.
    public func resetPassword(token: String, to new: String) async throws(DataError) {
        try await data.resetPassword(token: token, to: new)
    }

    // MARK: The e-mail address

    /// Resends the verification e-mail to the account's address.
    ///
    /// - Throws: `.alreadyVerified`; `.tooManyAttempts` after several requests.
    public func requestVerification() async throws(DataError) {
        try await data.requestVerification()
    }

    /// Verifies the address that the token was sent to. The token of a change makes the new address the account's
    /// address. No session is required; if there is one, its profile is updated.
    ///
    /// - Throws: `.linkInvalid`; `.emailTaken` if another account has the address in the meantime.
    public func verifyEmail(token: String) async throws(DataError) {
        try await data.verifyEmail(token: token)
        guard let session = try? await restore(), session.kind != .guest else { return }
        // The address is verified even if the profile cannot be read now.
        _ = try? await profile()
    }

    /// Sends an e-mail to a new address, which replaces the old one once `verifyEmail` confirms its token. A later
    /// request replaces an earlier one.
    ///
    /// - Throws: `.wrongPassword`, `.emailTaken`, `.validation`, `.tooManyAttempts`; `.freshSignInRequired` for an
    ///   account with a second factor.
    public func changeEmail(to email: String, password: String) async throws(DataError) {
        try await data.changeEmail(to: email, password: password)
    }

    // MARK: Sessions

    /// The active sessions of the account, newest first.
    public func activeSessions(
        limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<AccountSession> {
        try await data.accountSessions(limit: limit, cursor: cursor)
    }

    /// Ends one session of the account. For the current one, this is the same as `signOut`.
    ///
    /// - Throws: `.notFound` for a session that has ended.
    public func endSession(id: AccountSession.ID) async throws(DataError) {
        guard try await restore()?.id != id else { return try await signOut() }
        try await data.endSession(id: id)
    }

    // MARK: The owner's data

    /// Everything that the shop stores about the account's owner: profile, addresses, orders, rides, sessions and
    /// e-mails.
    public func export() async throws(DataError) -> AccountExport {
        try await data.exportAccount()
    }
}

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
