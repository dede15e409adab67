import Synchronization

/// Who does something in the name of whoever is signed in.
protocol SessionFollower: Actor {
    func note(_ moment: SessionFollowers.Moment) async
}

/// Those who are told of what happens to the session, and waited for.
final class SessionFollowers: Sendable {
    enum Moment: Sendable {
        /// Somebody is about to sign in, up or out: what is to be done in the name of whoever is signed in is to be done now.
        case leaving
        /// Another session, or none, is in its place.
        case changed
    }

    private struct Entry: Sendable {
        weak var follower: (any SessionFollower)?
    }

    private let entries = Mutex<[Entry]>([])

    /// Does not keep the follower alive.
    func add(_ follower: any SessionFollower) {
        entries.withLock { entries in
            entries.removeAll { $0.follower == nil }
            entries.append(Entry(follower: follower))
        }
    }

    func tell(_ moment: Moment) async {
        for entry in entries.withLock({ $0 }) { await entry.follower?.note(moment) }
    }
}
