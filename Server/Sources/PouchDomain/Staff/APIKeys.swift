import Foundation
import PouchEntities
import PouchJSON

/// Creates, finds and revokes the keys with which programs call the administration.
///
/// A token is `sk_`, the id of its key, and a secret of 32 random bytes, of which only the hash is stored.
public struct APIKeys: Sendable {
    public static let prefix = "sk_"
    /// The maximum length of a token in bytes. A longer text is refused without reading the database.
    private static let longest = 200
    /// The time between two updates of the last use, in seconds.
    private static let useInterval: TimeInterval = 60

    private let environment: DomainEnvironment

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
    }

    /// Creates a key.
    ///
    /// - Returns: the key with its secret, which cannot be shown again.
    /// - Throws: `DomainError.invalid`, `.forbidden` for a scope that the creator does not have, `.limitReached`.
    public func create(
        name: String, scopes: [Permission], expiresAt: Date?, by principal: Principal, in repositories: any Repositories
    ) throws -> NewAPIKey {
        let now = environment.time.now
        var problems = AccountRules.problems(name: name) + InvalidField.end("expiresAt", expiresAt, after: now)
        if scopes.isEmpty || !Permission.ofKeys.isSuperset(of: scopes) {
            let known = Permission.ofKeys.map(\.rawValue).sorted().joined(separator: ", ")
            problems.add("scopes", .invalid, "Choose at least one of these scopes: \(known).")
        }
        try problems.check()
        let own = try principal.permissions(in: repositories)
        if let missing = scopes.first(where: { !own.contains($0) }) {
            throw DomainError.forbidden("You cannot grant the scope \(missing.rawValue), which you do not have.")
        }
        guard try repositories.apiKeys.count(at: now) < ModelLimits.apiKeys else { throw DomainError.limitReached }
        let id = environment.ids.make(.apiKey)
        let secret = ByteAlphabet.base64URL.text(environment.random.bytes(32))
        let key = APIKey(
            id: id, name: name.trimmingCharacters(in: .whitespaces),
            scopes: Permission.allCases.filter(scopes.contains), createdAt: now, createdBy: principal.ownerId,
            expiresAt: expiresAt)
        try repositories.apiKeys.insert(APIKeyRecord(key: key, hash: hash(secret)))
        let name = id.dropFirst(Identifier.Kind.apiKey.rawValue.count)
        return NewAPIKey(key: key, token: Self.prefix + name + "_" + secret)
    }

    /// Revokes a key for all later requests, and switches off the webhooks that it added.
    ///
    /// - Returns: the key.
    /// - Throws: `DomainError.notFound`.
    public func revoke(id: String, in repositories: any Repositories) throws -> APIKey {
        guard let record = try repositories.apiKeys.key(id: id), record.revokedAt == nil else {
            throw DomainError.notFound
        }
        try repositories.apiKeys.revoke(id: id, at: environment.time.now)
        try repositories.endGrants(of: id, at: environment.time.now)
        return record.key
    }

    /// The principal of a token. Records the use, at most once a minute.
    ///
    /// - Throws: `DomainError.apiKeyInvalid`.
    public func principal(of token: String) async throws -> Principal {
        guard token.utf8.count <= Self.longest, token.hasPrefix(Self.prefix) else { throw DomainError.apiKeyInvalid }
        let parts = token.dropFirst(Self.prefix.count).split(separator: "_", maxSplits: 1)
        guard parts.count == 2 else { throw DomainError.apiKeyInvalid }
        let id = Identifier.Kind.apiKey.rawValue + parts[0]
        let hash = hash(String(parts[1]))
        let now = environment.time.now
        guard let record = try await environment.store.read({ try $0.apiKeys.key(id: id) }),
            environment.digests.isEqual(record.hash, hash), record.isValid(at: now)
        else { throw DomainError.apiKeyInvalid }
        let earliest = now.addingTimeInterval(-Self.useInterval)
        if record.key.lastUsedAt.map({ $0 <= earliest }) ?? true {
            // A request does not fail because its time could not be recorded.
            try? await environment.store.write(.readCommitted) {
                try $0.apiKeys.markUsed(id: id, at: now, unlessAfter: earliest)
            }
        }
        return Principal(sessionId: id, kind: .admin, ownerId: id, credential: .apiKey)
    }

    private func hash(_ secret: String) -> Data {
        environment.digests.sha256(Data("API key\n\(secret)".utf8))
    }
}

/// A stored key: the hash of its secret, never the secret itself.
public struct APIKeyRecord: Sendable, Equatable {
    public let key: APIKey
    public let hash: Data
    public let revokedAt: Date?

    public init(key: APIKey, hash: Data, revokedAt: Date? = nil) {
        self.key = key
        self.hash = hash
        self.revokedAt = revokedAt
    }

    func isValid(at now: Date) -> Bool { revokedAt == nil && key.expiresAt.map { now < $0 } ?? true }
}

/// An API key in the list of all keys.
public struct ListedAPIKey: Sendable, Equatable {
    public let key: APIKey
    /// The name of the account or the key that created it; nil for a deleted account.
    public let creatorName: String?

    public init(key: APIKey, creatorName: String?) {
        self.key = key
        self.creatorName = creatorName
    }
}

public protocol APIKeyRepository {
    func insert(_ record: APIKeyRecord) throws
    /// The key, even if revoked or expired.
    func key(id: String) throws -> APIKeyRecord?
    /// The keys that are not revoked, newest first.
    func keys(after id: String?, limit: Int) throws -> [ListedAPIKey]
    /// The keys that a member created and that are not revoked.
    func keys(madeBy accountId: String) throws -> [APIKey]
    /// The number of keys valid at a time.
    func count(at: Date) throws -> Int
    func revoke(id: String, at: Date) throws
    func markUsed(id: String, at: Date, unlessAfter: Date) throws
}
