/// Who is signed in, and who they are.
@MainActor
public protocol AccountMessages {
    /// Signs in, and goes on to where one wanted to be. A guest's cart and orders go over to the account.
    func accountSignIn(email: String, password: String) async throws
    /// Makes an account and signs in, as above.
    func accountRegister(name: String, email: String, mobileNumber: String?, password: String) async throws
    /// Nobody is signed in afterwards. Where the shop could not be told, the next screen gets a notice of it.
    func accountSignOut() async throws
    /// - Parameters:
    ///   - name: nil keeps it.
    ///   - mobileNumber: nil keeps it; the empty text clears it.
    func accountUpdate(name: String?, mobileNumber: String?) async throws
    /// All other sessions of the account end.
    func accountChangePassword(from current: String, to new: String) async throws
    /// Ends the account with what identifies the person; its orders stay at the shop. Nobody is signed in afterwards.
    func accountDelete(password: String) async throws
}
