import PouchData
import PouchEntities

/// Forgotten passwords, e-mail addresses, sessions, and the owner's own data.
extension AccountManager {
    // MARK: A forgotten password

    /// Asks the shop for a mail with a token for a new password. It succeeds whether or not the address has an account,
    /// so that the answer does not show which addresses have one.
    ///
    ///     try await pouch.account.requestPasswordReset(email: "ada@example.com")
    ///     // The mail has the token.
    ///     try await pouch.account.resetPassword(token: token, to: "battery staple")
    ///
    /// - Throws: `.validation` for a text that is no address, `.tooManyAttempts` after several requests.
    public func requestPasswordReset(email: String) async throws(DataError) {
        try await data.requestPasswordReset(email: email)
    }

    /// Sets a new password and ends every session of the account. Signing in with it is the next step.
    ///
    /// - Throws: `.linkInvalid` for a token that is wrong, was used, or is older than 30 minutes; `.validation`.
    public func resetPassword(token: String, to new: String) async throws(DataError) {
        try await data.resetPassword(token: token, to: new)
    }

    // MARK: The e-mail address

    /// Sends the mail that verifies the account's address again.
    ///
    /// - Throws: `.alreadyVerified`; `.tooManyAttempts` after several requests.
    public func requestVerification() async throws(DataError) {
        try await data.requestVerification()
    }

    /// Verifies the address that the token was sent to. The token of a change makes its address that of the account. No
    /// session is needed; if there is one, it gets the new profile.
    ///
    /// - Throws: `.linkInvalid`; `.emailTaken` if another account has the address by now.
    public func verifyEmail(token: String) async throws(DataError) {
        try await data.verifyEmail(token: token)
        guard let session = try? await restore(), session.kind != .guest else { return }
        // The address is verified even if the profile cannot be read now.
        _ = try? await profile()
    }

    /// Sends a mail to a new address, which becomes the account's once `verifyEmail` confirms its token. The last request
    /// counts.
    ///
    /// - Throws: `.wrongPassword`, `.emailTaken`, `.validation`, `.tooManyAttempts`; `.freshSignInRequired` for an account
    ///   with a second factor.
    public func changeEmail(to email: String, password: String) async throws(DataError) {
        try await data.changeEmail(to: email, password: password)
    }

    // MARK: Sessions

    /// The places where the account is signed in, the latest first.
    public func activeSessions(
        limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<AccountSession> {
        try await data.accountSessions(limit: limit, cursor: cursor)
    }

    /// Ends one session of the account. For the current one it is the same as `signOut`.
    ///
    /// - Throws: `.notFound` for a session that has ended.
    public func endSession(id: AccountSession.ID) async throws(DataError) {
        guard try await restore()?.id != id else { return try await signOut() }
        try await data.endSession(id: id)
    }

    // MARK: The owner's data

    /// Everything that the shop has about the account's owner: profile, addresses, orders, rides, sessions and mails.
    public func export() async throws(DataError) -> AccountExport {
        try await data.exportAccount()
    }
}
