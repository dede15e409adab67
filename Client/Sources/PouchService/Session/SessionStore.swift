import Foundation

/// Storage for the session of one server that outlives the process, such as a file or a keychain. The bytes are secret.
/// Several processes may share a store.
public protocol SessionStore: Sendable {
    /// - Returns: the last saved session; nil if there is none.
    func load() async throws -> Data?
    /// Replaces the saved session. If this fails, the earlier one remains.
    func save(_ session: Data) async throws
    /// Saves the session of a new guest, unless a session is already saved. Reads and saves in one step: if two
    /// processes start at the same time, the second receives the session of the first. The default implementation takes
    /// two steps.
    ///
    /// - Returns: the session that is saved afterwards.
    func saveUnlessSaved(_ session: Data) async throws -> Data
    func clear() async throws
}

extension SessionStore {
    public func saveUnlessSaved(_ session: Data) async throws -> Data {
        if let saved = try await load() { return saved }
        try await save(session)
        return session
    }
}

/// A store whose session is lost when the process ends.
public actor MemorySessionStore: SessionStore {
    private var session: Data?

    public init(_ session: Data? = nil) {
        self.session = session
    }

    public func load() -> Data? { session }

    public func save(_ session: Data) { self.session = session }

    public func saveUnlessSaved(_ session: Data) -> Data {
        let saved = self.session ?? session
        self.session = saved
        return saved
    }

    public func clear() { session = nil }
}

/// A session store whose operations run one at a time, in the order of their calls, so that it contains the last saved
/// session. No operation is interrupted when the task that called it is cancelled.
public struct SessionStoreQueue {
    private let store: any SessionStore
    private var last: Task<Void, Never>?

    public init(_ store: any SessionStore) {
        self.store = store
    }

    /// - Returns: a task with the operation's result.
    public mutating func add<Value: Sendable>(
        _ operation: @escaping @Sendable (any SessionStore) async throws -> Value
    ) -> Task<Value, any Error> {
        let task = Task { [store, last] in
            await last?.value
            return try await operation(store)
        }
        last = Task { _ = await task.result }
        return task
    }
}
