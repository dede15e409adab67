import PouchEntities
import PouchManagers

/// Lets calls be made in the name of one session while it lasts, and none in that of another that came after it.
struct SessionScope: Sendable {
    let userSession: UserSession
    let account: AccountManager

    /// - Parameter title: of the error, where there is one.
    func perform<Value: Sendable>(
        _ title: String, _ call: () async throws(DataError) -> Value
    ) async throws(ErrorMessage) -> Value {
        do {
            try await check()
            let value = try await call()
            try await check()
            return value
        } catch {
            throw ErrorMessage(title: title, error)
        }
    }

    /// - Throws: `.sessionEnded`.
    func check() async throws(DataError) {
        guard try await account.restore()?.id == userSession.id else { throw DataError(.sessionEnded) }
    }

    /// As far as it is known without waiting.
    var isCurrent: Bool { account.session?.id == userSession.id }
}
