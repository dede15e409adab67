import PouchJSON

/// The facts about a shop that do not change with its products.
public struct ShopProfile: Codable, Sendable, Hashable {
    /// The currency of every price and amount.
    public let currency: Currency
    /// ISO 3166-1 alpha-2; the taxes and shipping prices of this country apply until an address is known.
    public let country: String
    /// The identifier of the merchant's time zone, such as `Europe/Berlin`. The days of sales figures begin at its
    /// midnight.
    public let timeZone: String

    public init(currency: Currency, country: String, timeZone: String) {
        self.currency = currency
        self.country = country
        self.timeZone = timeZone
    }
}

extension ShopProfile: JSONModel {
    public static let json = JSONObject(
        ShopProfile.init, .field("currency", \.currency), .field("country", \.country),
        .field("timeZone", \.timeZone))
}
