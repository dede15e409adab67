import Foundation
import PouchService

/// A session store in memory that holds what saves or clears at a gate before it takes effect.
actor GatedSessionStore: SessionStore {
    private var session: Data?
    private let saving: Gate?
    private let clearing: Gate?

    init(_ session: Data?, saving: Gate? = nil, clearing: Gate? = nil) {
        self.session = session
        self.saving = saving
        self.clearing = clearing
    }

    func load() -> Data? { session }

    func save(_ session: Data) async {
        await saving?.pass()
        self.session = session
    }

    func clear() async {
        await clearing?.pass()
        session = nil
    }
}
