import Foundation
import PouchClient

/// Keeps a session, and counts how often bytes are written and deleted.
actor CountingSessionStore: SessionStore {
    private var session: Data?
    private(set) var saves = 0
    private(set) var clears = 0

    func load() -> Data? { session }

    func save(_ session: Data) {
        saves += 1
        self.session = session
    }

    func clear() {
        clears += 1
        session = nil
    }
}
