import Foundation

/// Forgets the session when the process ends.
public actor MemorySessionStore: SessionStore {
    private var session: Data?

    public init(_ session: Data? = nil) {
        self.session = session
    }

    public func load() -> Data? { session }

    public func save(_ session: Data) { self.session = session }

    public func clear() { session = nil }
}
