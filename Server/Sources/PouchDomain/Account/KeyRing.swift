import Foundation
import Synchronization

/// The signing keys of the database, as this process knows them.
///
/// Whoever starts first makes one. Every key in the database is valid and the newest one signs, so a key is rotated by
/// adding one; a process that meets an id that it does not know looks again.
public final class KeyRing: Sendable {
    private let environment: DomainEnvironment
    private let state: Mutex<State>

    private struct State {
        /// The newest first; never empty.
        var keys: [SigningKey]
        /// One look at the database for all who wait for it.
        var look: Task<Void, any Error>?
    }

    /// Loads the keys, and makes the first.
    public init(_ environment: DomainEnvironment) async throws {
        self.environment = environment
        let key = SigningKey(
            id: environment.random.bytes(8).map { String(format: "%02x", $0) }.joined(),
            secret: Data(environment.random.bytes(32)),
            createdAt: environment.time.now
        )
        let keys = try await environment.store.write { repositories in
            let keys = try repositories.keys.keys()
            guard keys.isEmpty else { return keys }
            try repositories.keys.insert(key)
            return [key]
        }
        state = Mutex(State(keys: keys))
    }

    /// The key that signs.
    public var current: SigningKey { state.withLock { $0.keys[0] } }

    /// The newest first.
    public var all: [SigningKey] { state.withLock { $0.keys } }

    /// Asks the database for a key that is not known.
    public func key(id: String) async throws -> SigningKey? {
        func known() -> SigningKey? { all.first { $0.id == id } }
        if let key = known() { return key }
        try await refresh()
        return known()
    }

    /// Learns what keys there are by now.
    public func refresh() async throws {
        // A look that others began may have read before a key was there; the one behind it begins now.
        for _ in 0..<2 {
            let (look, isOwn) = look()
            try await look.value
            if isOwn { break }
        }
    }

    private func look() -> (look: Task<Void, any Error>, isOwn: Bool) {
        state.withLock { state in
            if let look = state.look { return (look, false) }
            let look = Task { [environment] in
                defer { self.state.withLock { $0.look = nil } }
                let keys = try await environment.store.read { try $0.keys.keys() }
                self.state.withLock { if keys.count > $0.keys.count { $0.keys = keys } }
            }
            state.look = look
            return (look, true)
        }
    }

    /// A key for one purpose, so that no code made for one is worth anything for another.
    public func derivedKey(_ purpose: String, from key: SigningKey) -> Data {
        environment.digests.hmacSHA256(Data(purpose.utf8), key: key.secret)
    }
}
