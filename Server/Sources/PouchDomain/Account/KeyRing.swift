import Foundation
import Synchronization

/// The signing keys of the database, as this process knows them.
///
/// Whoever starts first makes one. Every key in the database is valid and the newest one signs, so a key is rotated by
/// adding one; a process that meets an id that it does not know looks again.
public final class KeyRing: Sendable {
    private let environment: DomainEnvironment
    private let loaded: Mutex<Loaded>

    private struct Loaded {
        var keys: [SigningKey]
        var at: Date
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
        loaded = Mutex(Loaded(keys: keys, at: environment.time.now))
    }

    /// The key that signs.
    public var current: SigningKey { loaded.withLock { $0.keys[0] } }

    public var all: [SigningKey] { loaded.withLock { $0.keys } }

    /// Asks the database for a key that is not known, at most once a second, so that made-up ids cost nothing.
    public func key(id: String) async throws -> SigningKey? {
        let now = environment.time.now
        let (known, mayLook) = loaded.withLock { loaded in
            let known = loaded.keys.first { $0.id == id }
            let mayLook = known == nil && now.timeIntervalSince(loaded.at) >= 1
            if mayLook { loaded.at = now }
            return (known, mayLook)
        }
        guard known == nil, mayLook else { return known }
        let keys = try await environment.store.read { try $0.keys.keys() }
        loaded.withLock { if !keys.isEmpty { $0.keys = keys } }
        return keys.first { $0.id == id }
    }

    /// A key for one purpose, so that no code made for one is worth anything for another.
    public func derivedKey(_ purpose: String, from key: SigningKey) -> Data {
        environment.digests.hmacSHA256(Data(purpose.utf8), key: key.secret)
    }
}
