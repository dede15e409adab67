/// Hashes passwords slowly, away from the threads that serve requests.
public protocol PasswordHasher: Sendable {
    /// - Returns: text that holds the hash, its salt and its cost.
    /// - Throws: `OverloadError` when too many wait already.
    func hash(_ password: String) async throws -> String

    /// Takes as long with nil, so that an answer does not tell whether there is an account.
    ///
    /// - Throws: `OverloadError` when too many wait already.
    func verify(_ password: String, against hash: String?) async throws -> Bool
}
