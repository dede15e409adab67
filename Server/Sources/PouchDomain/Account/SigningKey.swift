import Foundation

/// A secret from which tokens and cursors are authenticated.
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

extension SigningKey: CustomStringConvertible {
    /// Without the secret.
    public var description: String { "SigningKey(\(id))" }
}

public protocol SigningKeyRepository {
    /// The newest first.
    func keys() throws -> [SigningKey]
    func insert(_ key: SigningKey) throws
}
