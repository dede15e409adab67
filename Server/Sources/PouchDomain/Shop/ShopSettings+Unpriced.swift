import PouchEntities

/// For whoever does not price with `Pricing` yet: the ways of delivery to the shop's own country, for next to nothing.
extension ShopSettings {
    var shippingMethods: [ShippingMethod] {
        shipping.compactMap { $0.method(to: Destination(country: country), grams: 0, goods: .zero(currency)) }
    }

    /// - Throws: `DomainError.unknownShippingMethod`.
    func shippingMethod(id: String) throws(DomainError) -> ShippingMethod {
        guard let method = shippingMethods.first(where: { $0.id == id }) else { throw .unknownShippingMethod }
        return method
    }
}
