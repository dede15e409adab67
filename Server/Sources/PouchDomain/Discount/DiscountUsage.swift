import Foundation

/// A discount with how often it was used.
public struct DiscountUsage: Sendable, Equatable {
    public let discount: Discount
    public let used: Int
    public let usedByOwner: Int

    public init(discount: Discount, used: Int, usedByOwner: Int) {
        self.discount = discount
        self.used = used
        self.usedByOwner = usedByOwner
    }
}

extension Repositories {
    /// The discount that the owner can use now under the code.
    ///
    /// - Throws: `DomainError.discountInvalid`, `.discountExpired`, `.discountExhausted`.
    func discount(code: String, ownerId: String, at now: Date) throws -> Discount {
        guard let code = Discount.normalised(code: code),
            let usage = try discounts.usage(code: code, ownerId: ownerId)
        else { throw DomainError.discountInvalid }
        try usage.discount.check(at: now, used: usage.used, usedByAccount: usage.usedByOwner)
        return usage.discount
    }

    /// The discount of a cart. A code that has ended or was used up since it was put there counts as not there.
    ///
    /// - Returns: the discount, or why the code cannot be used any more; neither without a code.
    func discount(of cart: CartRecord, at now: Date) throws -> (discount: Discount?, refusal: DomainError?) {
        guard let code = cart.discountCode else { return (nil, nil) }
        do {
            return (try discount(code: code, ownerId: cart.ownerId, at: now), nil)
        } catch let refusal as DomainError {
            return (nil, refusal)
        }
    }

    /// The order has come to nothing, so its code counts as not used.
    func giveBackDiscount(of record: OrderRecord) throws {
        if let discount = record.discount { try discounts.giveBack(id: discount.id, ownerId: record.ownerId) }
    }

    /// Counts a use by the owner; the last one is won by one.
    ///
    /// - Throws: `DomainError.discountExhausted`.
    func claim(_ discount: Discount, ownerId: String) throws {
        guard try discounts.claim(id: discount.id),
            try discounts.claim(id: discount.id, ownerId: ownerId, limit: discount.limitPerAccount)
        else { throw DomainError.discountExhausted }
    }
}
