import Foundation
import PouchEntities

/// The head of a cart as it is kept; the lines are kept beside it.
public struct CartRecord: Sendable, Equatable {
    public let ownerId: String
    /// Counts writes; 0 for a cart that was never written.
    public var version: Int
    public var shippingMethodId: String?
    public var shippingAddress: Address?
    public var discountCode: String?
    public var changes: [CartChange]
    public var updatedAt: Date

    public init(
        ownerId: String,
        version: Int,
        shippingMethodId: String? = nil,
        shippingAddress: Address? = nil,
        discountCode: String? = nil,
        changes: [CartChange] = [],
        updatedAt: Date
    ) {
        self.ownerId = ownerId
        self.version = version
        self.shippingMethodId = shippingMethodId
        self.shippingAddress = shippingAddress
        self.discountCode = discountCode
        self.changes = changes
        self.updatedAt = updatedAt
    }

    /// Follows from the owner, since each principal has one cart.
    public var id: String { "crt_" + ownerId.dropFirst(4) }

    mutating func clear() {
        shippingMethodId = nil
        shippingAddress = nil
        discountCode = nil
        changes = []
    }
}
