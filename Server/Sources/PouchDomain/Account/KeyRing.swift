import Foundation
import PouchJSON
import Synchronization

/// The signing keys of the database, cached in this process.
///
/// The first process to start creates a key. Every key in the database is valid and the newest signs, so adding a key
/// rotates it; a process that encounters an unknown id reads the keys again. A removed key is valid until the next
/// `refresh`, which servers call at intervals.
public final class KeyRing: Sendable {
    /// More than the number of derived keys that a shop has at a time.
    private static let maxDerived = 256

    private let environment: DomainEnvironment
    private let state: Mutex<State>
    private let derived = Mutex<[Derivation: Data]>([:])

    private struct Derivation: Hashable {
        let purpose: String
        let secret: Data
    }

    private struct State {
        /// The keys, newest first; never empty.
        var keys: [SigningKey]
        /// A read of the database that all waiting callers share.
        var reading: Task<Void, any Error>?
    }

    /// Loads the keys; creates the first one in a new database.
    public init(_ environment: DomainEnvironment) async throws {
        self.environment = environment
        let key = SigningKey(environment)
        let keys = try await environment.store.write { repositories in
            let keys = try repositories.keys.keys()
            guard keys.isEmpty else { return keys }
            try repositories.keys.insert(key)
            return [key]
        }
        state = Mutex(State(keys: keys))
    }

    /// The newest key, which signs.
    public var current: SigningKey { state.withLock { $0.keys[0] } }

    /// All keys, newest first.
    public var all: [SigningKey] { state.withLock { $0.keys } }

    /// Returns a key; reads the database when the id is unknown.
    ///
    /// - Returns: nil if no key of the shop has the id.
    public func key(id: String) async throws -> SigningKey? {
        func known() -> SigningKey? { all.first { $0.id == id } }
        if let key = known() { return key }
        try await refresh()
        return known()
    }

    /// Reads the keys again from the database, including all that were stored before the call.
    public func refresh() async throws {
        // A read that was already running may have missed a new key; the next one sees it.
        for _ in 0..<2 {
            let (reading, isOwn) = read()
            try await reading.value
            if isOwn { break }
        }
    }

    private func read() -> (reading: Task<Void, any Error>, isOwn: Bool) {
        state.withLock { state in
            if let reading = state.reading { return (reading, false) }
            let reading = Task { [environment] in
                defer { self.state.withLock { $0.reading = nil } }
                let keys = try await environment.store.read { try $0.keys.keys() }
                self.state.withLock { if !keys.isEmpty { $0.keys = keys } }
            }
            state.reading = reading
            return (reading, true)
        }
    }

    /// A key derived for one purpose, so that a code created for one purpose is worthless for another.
    ///
    /// Each is derived once, since most requests check a token.
    public func derivedKey(_ purpose: String, from key: SigningKey) -> Data {
        let derivation = Derivation(purpose: purpose, secret: key.secret)
        if let known = derived.withLock({ $0[derivation] }) { return known }
        let new = environment.digests.hmacSHA256(Data(purpose.utf8), key: key.secret)
        derived.withLock { derived in
            if derived.count >= Self.maxDerived { derived = [:] }
            derived[derivation] = new
        }
        return new
    }
}

/// A secret that authenticates tokens and cursors.
public struct SigningKey: Sendable, Equatable {
    public let id: String
    public let secret: Data
    public let createdAt: Date

    public init(id: String, secret: Data, createdAt: Date) {
        self.id = id
        self.secret = secret
        self.createdAt = createdAt
    }
}

extension SigningKey {
    /// Creates a key. It signs once it is in the database, since it is the newest.
    ///
    /// - Parameter newest: the current signing key. The new key is not older even if the clock is behind.
    init(_ environment: DomainEnvironment, after newest: SigningKey? = nil) {
        let earliest = newest?.createdAt.addingTimeInterval(0.001) ?? .distantPast
        self.init(
            id: ByteAlphabet.base16.text(environment.random.bytes(8)), secret: Data(environment.random.bytes(32)),
            createdAt: max(environment.time.now, earliest))
    }
}

extension SigningKey: CustomStringConvertible {
    /// The description without the secret.
    public var description: String { "SigningKey(\(id))" }
}

public protocol SigningKeyRepository {
    /// The keys, newest first.
    func keys() throws -> [SigningKey]
    func insert(_ key: SigningKey) throws
    /// - Returns: false if there is no such key.
    func remove(id: String) throws -> Bool
}

extension SigningKeyRepository {
    /// Adds a key, which becomes the signing key.
    public func rotate(_ environment: DomainEnvironment) throws -> SigningKey {
        let key = SigningKey(environment, after: try keys().first)
        try insert(key)
        return key
    }

    /// Removes a key, and so invalidates what it signed.
    ///
    /// - Throws: `SigningKeyError`.
    public func retire(id: String) throws {
        guard try keys().first?.id != id else { throw SigningKeyError.signs }
        guard try remove(id: id) else { throw SigningKeyError.unknown }
    }
}

/// A key that cannot be retired.
public enum SigningKeyError: Error {
    /// The key is the current signing key.
    case signs
    case unknown
}
