import PouchEntities
import PouchManagers

/// Lets calls be made in the name of one session while it lasts, and none in that of another that came after it.
struct SessionScope: Sendable {
    let userSession: UserSession
    let account: AccountManager

    /// - Parameters:
    ///   - title: of the error, where there is one.
    ///   - doubt: what a write says where it is not known whether it had its effect.
    func perform<Value: Sendable>(
        _ title: String, doubt: Doubt? = nil, _ call: () async throws(DataError) -> Value
    ) async throws(ErrorMessage) -> Value {
        do {
            try await check()
            let value = try await call()
            try await check()
            return value
        } catch {
            guard let doubt, error.leavesOutcomeOpen else { throw ErrorMessage(title: title, error) }
            throw doubt.message(about: error)
        }
    }

    /// - Throws: `.sessionEnded`.
    func check() async throws(DataError) {
        guard try await account.restore()?.id == userSession.id else { throw DataError(.sessionEnded) }
    }

    /// As far as it is known without waiting.
    var isCurrent: Bool { account.session?.id == userSession.id }
}
