import Foundation
import PouchEntities

/// What one shop has decided for itself. All its amounts are in its currency.
public struct ShopSettings: Sendable, Equatable {
    public let currency: Currency
    /// ISO 3166-1 alpha-2; whose taxes and shipping prices are quoted for as long as no address is known.
    public let country: String
    /// Where kangaroos fetch what they are to deliver; nil for a shop that sends nothing from a place of its own.
    public let place: ShopPlace?
    /// In which the merchant's days begin, and dates of a feed are that name no offset from UTC.
    public let timeZone: TimeZone
    public let taxes: TaxSettings
    /// In the order in which they are offered.
    public let shipping: [ShippingTariff]
    /// What becomes of the two carts when a guest signs in.
    public let cartMerge: CartMerge.Strategy
    /// How long a checkout holds its stock, 1...1440.
    public let holdMinutes: Int

    public init(
        currency: Currency,
        country: String,
        place: ShopPlace? = nil,
        timeZone: TimeZone = .gmt,
        taxes: TaxSettings = TaxSettings(pricesIncludeTax: true, rounding: .perLine, regions: []),
        shipping: [ShippingTariff],
        cartMerge: CartMerge.Strategy = .sum,
        holdMinutes: Int = 10
    ) {
        self.currency = currency
        self.country = country
        self.place = place
        self.timeZone = timeZone
        self.taxes = taxes
        self.shipping = shipping
        self.cartMerge = cartMerge
        self.holdMinutes = holdMinutes
    }

    /// Two ways of delivery that reach everywhere, kangaroos from a place in the middle of their city, and no taxes.
    public static func standard(currency: Currency = .eur) -> ShopSettings {
        ShopSettings(
            currency: currency,
            country: "DE",
            place: ShopPlace(
                name: "The shop in Surry Hills", location: GeoPoint(latitude: -33.8861, longitude: 151.2111)),
            shipping: [
                ShippingTariff(
                    id: "standard", name: "Standard", estimate: "3 to 5 working days",
                    regions: [.init(rates: [.init(price: Money(490, currency))])]),
                ShippingTariff(
                    id: "express", name: "Express", estimate: "next working day",
                    regions: [.init(rates: [.init(price: Money(990, currency))])]),
            ]
        )
    }
}
