import PouchContract
import PouchEntities
import PouchService

/// Calls to confirm a session's password, and for second factors.
extension DataManager {
    /// Confirms the password, and the second factor if the account has one, which makes the session fresh.
    public func confirmSession(password: String, code: String? = nil) async throws(DataError) {
        let body = ConfirmationRequest(password: password, code: code)
        try await mappingWrongPassword(
            await perform(Contract.confirmSession, sending: body))
    }

    public func secondFactor() async throws(DataError) -> SecondFactor {
        try await perform(Contract.secondFactor)
    }

    /// Creates a secret, which becomes active once a code has been confirmed.
    public func beginSecondFactor() async throws(DataError) -> SecondFactorSecret {
        try await perform(Contract.beginSecondFactor)
    }

    /// Enables the second factor with a first code.
    public func enableSecondFactor(code: String) async throws(DataError) -> RecoveryCodes {
        try await perform(Contract.enableSecondFactor, sending: CodeRequest(code: code))
    }

    public func removeSecondFactor() async throws(DataError) {
        try await perform(Contract.removeSecondFactor)
    }

    /// Accepts an invitation to the staff. The account is not signed in.
    ///
    /// - Parameters:
    ///   - password: the new password of a new account, or the current one of an existing account.
    ///   - name: the name of a new account.
    public func acceptInvitation(token: String, password: String, name: String? = nil) async throws(DataError) {
        let body = AcceptInvitationRequest(token: token, password: password, name: name)
        try await perform(Contract.acceptInvitation, sending: body)
    }
}
