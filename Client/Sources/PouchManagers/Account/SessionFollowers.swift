import Synchronization

/// Who is told of what happens to the session, and waited for.
final class SessionFollowers: Sendable {
    enum Moment: Sendable {
        /// Somebody is about to sign in, up or out: what is to be done in the name of whoever is signed in is to be done now.
        case leaving
        /// Another session, or none, is in its place.
        case changed
    }

    typealias Handler = @Sendable (Moment) async -> Void

    private let handlers = Mutex<[Handler]>([])

    func add(_ handler: @escaping Handler) {
        handlers.withLock { $0.append(handler) }
    }

    func tell(_ moment: Moment) async {
        for handler in handlers.withLock({ $0 }) { await handler(moment) }
    }
}
