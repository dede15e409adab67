import Foundation
import PouchEntities

/// The head of a cart as it is kept; the lines are kept beside it.
public struct CartRecord: Sendable, Equatable {
    public let ownerId: String
    /// Counts writes; 0 for a cart that was never written.
    public var version: Int
    public var shippingMethodId: String?
    public var shippingAddress: Address?
    public var changes: [CartChange]
    public var updatedAt: Date

    public init(
        ownerId: String,
        version: Int,
        shippingMethodId: String? = nil,
        shippingAddress: Address? = nil,
        changes: [CartChange] = [],
        updatedAt: Date
    ) {
        self.ownerId = ownerId
        self.version = version
        self.shippingMethodId = shippingMethodId
        self.shippingAddress = shippingAddress
        self.changes = changes
        self.updatedAt = updatedAt
    }

    /// Follows from the owner, since each principal has one cart.
    public var id: String { "crt_" + ownerId.dropFirst(4) }
}
