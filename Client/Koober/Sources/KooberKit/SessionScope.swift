import Foundation
import KooberTexts
import PouchEntities
import PouchManagers

/// Limits calls to the lifetime of one session. A call never acts for a session that started later.
struct SessionScope: Sendable {
    let userSession: UserSession
    let account: AccountManager

    /// - Parameters:
    ///   - title: the title of the error.
    ///   - uncertain: the error of a write that may have taken effect.
    func perform<Value: Sendable>(
        _ title: Phrase, uncertain: UncertainOutcome? = nil, _ call: () async throws(DataError) -> Value
    ) async throws(ErrorMessage) -> Value {
        do {
            try await check()
            let value = try await call()
            try await check()
            return value
        } catch {
            guard let uncertain, error.mayHaveTakenEffect else { throw ErrorMessage(title: title, error) }
            throw ErrorMessage(title: uncertain.title, error, advice: uncertain.advice)
        }
    }

    /// - Throws: `.sessionEnded`.
    func check() async throws(DataError) {
        guard try await account.restore()?.id == userSession.id else { throw DataError(.sessionEnded) }
    }

    /// Whether the session is still active, according to memory only.
    var isCurrent: Bool { account.session?.id == userSession.id }
}

/// The error of a write whose outcome is unknown.
struct UncertainOutcome: Sendable {
    let title: Phrase
    /// The next step of the app or the user.
    let advice: Phrase
}
