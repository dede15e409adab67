import PouchContract
import PouchEntities
import PouchService
import PouchWire

/// Forgotten passwords, e-mail addresses, sessions, and the owner's own data.
extension DataManager {
    /// Requests an e-mail with a token for a new password. The response is the same whether or not the address has an
    /// account.
    public func requestPasswordReset(email: String) async throws(DataError) {
        try await perform(Contract.requestPasswordReset, sending: PasswordResetRequest(email: email))
    }

    /// Sets a new password with the token from the e-mail, and ends all sessions of the account.
    public func resetPassword(token: String, to new: String) async throws(DataError) {
        try await perform(Contract.resetPassword, sending: NewPasswordRequest(token: token, newPassword: new))
    }

    /// Resends the verification e-mail to the account's address.
    public func requestVerification() async throws(DataError) {
        try await perform(Contract.requestVerification)
    }

    /// Verifies the address that the token was sent to.
    public func verifyEmail(token: String) async throws(DataError) {
        try await perform(Contract.verifyEmail, sending: VerificationRequest(token: token))
    }

    /// Sends an e-mail to a new address, which replaces the old one once its token is confirmed.
    public func changeEmail(to email: String, password: String) async throws(DataError) {
        let body = EmailChangeRequest(email: email, password: password)
        try await mappingWrongPassword(
            await perform(Contract.changeEmail, sending: body))
    }

    /// A page of the account's active sessions, newest first.
    public func accountSessions(
        limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<AccountSession> {
        try await page(Contract.accountSessions, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// Ends a session of the account.
    public func endSession(id: String) async throws(DataError) {
        try await perform(Contract.endSession, id)
    }

    /// Everything that the shop stores about the account's owner.
    public func exportAccount() async throws(DataError) -> AccountExport {
        try await perform(Contract.exportAccount)
    }
}
