import PouchEntities

/// One way of delivery that a shop offers.
protocol DeliveryWay: Sendable {
    var id: String { get }

    /// - Parameters:
    ///   - grams: what all units weigh together.
    ///   - goods: what is paid for them.
    /// - Returns: nil where this way does not reach, or does not carry that weight.
    /// - Throws: `DomainError.locationRequired` where too little is known of the place, `MoneyError`.
    func method(to place: Destination, grams: Int, goods: Money) throws -> ShippingMethod?
}
