import Synchronization

/// A manager that acts for the current session, such as the cart's.
protocol SessionFollower: Actor {
    /// The session is about to change; pending work for its owner is sent now.
    func sessionWillChange() async
    /// The session started, ended, or was replaced by another.
    func sessionDidChange() async
}

/// Notifies managers of changes to the session, one after the other, and waits for them.
final class SessionFollowers: Sendable {
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

    func sessionWillChange() async {
        for entry in entries.withLock({ $0 }) { await entry.follower?.sessionWillChange() }
    }

    func sessionDidChange() async {
        for entry in entries.withLock({ $0 }) { await entry.follower?.sessionDidChange() }
    }
}
