import Foundation
import PouchEntities

/// A purchase of which it is not known whether it was made.
public struct UnresolvedPurchase: Sendable, Hashable, Identifiable {
    let write: PendingWrite
    /// What was to be paid; nil where it is no longer known.
    public let total: Money?
    /// Whether the server still knows the purchase by its key, so that trying again makes it at most once.
    public let canResume: Bool

    public var id: String { write.key }
    /// Whether the cart was bought, and not lines of their own.
    public var isOfCart: Bool { write.kind == .checkout }
    public var startedAt: Date { write.firstSentAt ?? write.createdAt }
}
