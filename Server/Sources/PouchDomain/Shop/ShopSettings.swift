import Foundation
import PouchEntities

/// The settings of one shop. All amounts are in its currency.
public struct ShopSettings: Sendable, Equatable, Encodable {
    public let currency: Currency
    /// The ISO 3166-1 alpha-2 code of the country whose taxes and shipping prices apply until an address is known.
    public let country: String
    /// The pick-up location for couriers; nil for a shop without one.
    public let place: ShopPlace?
    /// The time zone of the merchant's days, and of feed dates without an offset from UTC.
    public let timeZone: TimeZone
    public let taxes: TaxSettings
    /// The shipping methods in the order of display.
    public let shipping: [ShippingTariff]
    /// The strategy for merging a guest's cart at sign-in.
    public let cartMerge: CartMerge.Strategy
    /// The time for which a checkout holds its stock, in minutes, 1...1440.
    public let holdMinutes: Int
    // Servers on one SQLite file compare their encoded settings, even with those of an earlier version, which lacks the
    // following ones. So each is nil, and not encoded, if the shop does not use it.
    private let secondFactor: Bool?
    /// The actions for which customers need a verified e-mail address, in the order of `VerifiedEmailUse`; nil for
    /// none.
    public let verifiedEmail: [VerifiedEmailUse]?
    private let buyerDays: Int?

    /// Whether staff without a second factor can do nothing but set one up.
    public var staffNeedsSecondFactor: Bool { secondFactor == true }

    /// The number of days for which an ended order names its buyer after the account was deleted, 0...36500.
    public var orderBuyerDays: Int { buyerDays ?? Self.standardBuyerDays }

    /// Ten years, which many countries require for invoices: data deleted too early cannot be restored.
    private static let standardBuyerDays = 3_650

    public init(
        currency: Currency, country: String, place: ShopPlace? = nil, timeZone: TimeZone = .gmt,
        taxes: TaxSettings = TaxSettings(pricesIncludeTax: true, rounding: .perLine, regions: []),
        shipping: [ShippingTariff], cartMerge: CartMerge.Strategy = .sum, holdMinutes: Int = 10,
        staffNeedsSecondFactor: Bool = false, verifiedEmail: Set<VerifiedEmailUse> = [], orderBuyerDays: Int? = nil
    ) {
        self.currency = currency
        self.country = country
        self.place = place
        self.timeZone = timeZone
        self.taxes = taxes
        self.shipping = shipping
        self.cartMerge = cartMerge
        self.holdMinutes = holdMinutes
        secondFactor = staffNeedsSecondFactor ? true : nil
        buyerDays = orderBuyerDays == Self.standardBuyerDays ? nil : orderBuyerDays
        self.verifiedEmail = verifiedEmail.isEmpty ? nil : VerifiedEmailUse.allCases.filter(verifiedEmail.contains)
    }

    /// Two shipping methods that serve every address, couriers from a location in the middle of the city, and no taxes.
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

extension ShopSettings {
    /// Lists settings that have no effect in this shop, each with advice, in one or two sentences.
    public func advice(in repositories: any Repositories) throws -> [String] {
        let named = Set(taxes.regions.flatMap(\.categoryRates.keys))
        guard !named.isEmpty else { return [] }
        let known = Set(try repositories.taxonomy.categoryNames().map(\.id))
        return named.subtracting(known).sorted().map {
            "The tax settings name the category \($0), which does not exist, so its rate has no effect. List the IDs "
                + "with “pouch admin category list”."
        }
    }
}

/// The location of a shop, where couriers pick up orders.
public struct ShopPlace: Sendable, Equatable, Encodable {
    public let name: String
    public let location: GeoPoint

    public init(name: String, location: GeoPoint) {
        self.name = name
        self.location = location
    }
}

/// An action for which a shop can require a verified e-mail address of its customers.
public enum VerifiedEmailUse: String, Sendable, CaseIterable, Encodable {
    case checkout
    case rides
}
