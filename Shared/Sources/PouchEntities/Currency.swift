import PouchJSON

/// An ISO 4217 currency with the number of decimal places of its minor unit. Encoded as its code.
public struct Currency: RawRepresentable, Codable, JSONCodable, Hashable {
    /// The code: three capital letters, such as `EUR`.
    public let code: String
    /// The decimal places of the minor unit: 0 for JPY, 2 for EUR, 3 for JOD.
    public let exponent: Int

    /// - Returns: nil for a code that is not in ISO 4217.
    public init?(code: String) {
        guard let exponent = Self.exponents[code] else { return nil }
        self.init(code: code, exponent: exponent)
    }

    public init?(rawValue: String) { self.init(code: rawValue) }

    public var rawValue: String { code }

    private init(code: String, exponent: Int) {
        self.code = code
        self.exponent = exponent
    }

    public static let eur = Currency(code: "EUR", exponent: 2)

    /// ISO 4217, list one (active currencies with a minor unit), grouped by the number of decimal places.
    private static let exponents: [String: Int] = {
        let groups: [(places: Int, codes: String)] = [
            (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
            (
                2,
                """
                AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF \
                CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD \
                GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL \
                MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR \
                PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP \
                TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
                """
            ),
            (3, "BHD IQD JOD KWD LYD OMR TND"),
            (4, "CLF UYW"),
        ]
        var table: [String: Int] = [:]
        for group in groups {
            for code in group.codes.split(separator: " ") { table[String(code)] = group.places }
        }
        return table
    }()
}

/// The facts about a shop that do not change with its products.
public struct ShopProfile: JSONModel, Hashable {
    /// The currency of every price and amount.
    public let currency: Currency
    /// The ISO 3166-1 alpha-2 code of the country whose taxes and shipping prices apply until an address is known.
    public let country: String
    /// The identifier of the merchant's time zone, such as `Europe/Berlin`. The days of sales reports begin at its
    /// midnight.
    public let timeZone: String

    public init(currency: Currency, country: String, timeZone: String) {
        self.currency = currency
        self.country = country
        self.timeZone = timeZone
    }

    public static let json = JSONObject(
        ShopProfile.init, .field("currency", \.currency), .field("country", \.country),
        .field("timeZone", \.timeZone))
}
