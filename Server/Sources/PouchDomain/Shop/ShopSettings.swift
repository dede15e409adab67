import PouchEntities

/// What one shop has decided for itself.
public struct ShopSettings: Sendable {
    public let currency: Currency
    /// ISO 3166-1 alpha-2; where shipping prices are quoted for as long as no address is known.
    public let country: String
    /// For how long a checkout holds its stock, in seconds.
    public let holdLifetime: Double = 600
    /// In the order in which they are offered.
    public let shippingMethods: [ShippingMethod]

    public init(currency: Currency, country: String, shippingMethods: [ShippingMethod]) {
        self.currency = currency
        self.country = country
        self.shippingMethods = shippingMethods
    }

    /// Two ways of delivery that reach everywhere.
    public static func standard(currency: Currency = .eur) -> ShopSettings {
        ShopSettings(
            currency: currency,
            country: "DE",
            shippingMethods: [
                ShippingMethod(
                    id: "standard", name: "Standard", price: Money(490, currency), estimate: "3 to 5 working days"),
                ShippingMethod(
                    id: "express", name: "Express", price: Money(990, currency), estimate: "next working day"),
            ]
        )
    }

    /// - Throws: `DomainError.unknownShippingMethod`.
    func shippingMethod(id: String) throws(DomainError) -> ShippingMethod {
        guard let method = shippingMethods.first(where: { $0.id == id }) else { throw .unknownShippingMethod }
        return method
    }
}
