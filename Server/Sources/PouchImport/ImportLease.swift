import Foundation
import PouchDomain
import PouchFeed

/// Which import compares and publishes, and who carries it out. There is one in the whole shop.
public struct ImportLease: Sendable, Equatable {
    /// nil: none, anybody may begin one.
    public let importId: String?
    /// nil when it was left for others to go on with.
    public let holder: String?
    /// Without a sign of life until then, the holder counts as dead.
    public let expiresAt: Date

    public init(importId: String?, holder: String?, expiresAt: Date) {
        self.importId = importId
        self.holder = holder
        self.expiresAt = expiresAt
    }
}
