import PouchEntities

/// A discount as it is kept, with how often it was used.
public struct DiscountRecord: Sendable, Equatable {
    public let discount: Discount
    public let used: Int

    public init(discount: Discount, used: Int) {
        self.discount = discount
        self.used = used
    }

    var managed: ManagedDiscount {
        ManagedDiscount(id: discount.id, terms: DiscountTerms(discount), used: used)
    }
}
