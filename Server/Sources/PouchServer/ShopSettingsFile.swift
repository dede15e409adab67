import Foundation
import PouchDomain
import PouchEntities

extension ShopSettings {
    /// Reads a settings file. Missing keys have the standard values; only the currency is required.
    ///
    /// - Throws: `ShopSettingsError` for an unknown key or a value that is not allowed.
    public init(yaml: String) throws(ShopSettingsError) {
        let root = try SettingsNode(yaml: yaml)
        let fields = try root.fields(
            "currency", "country", "place", "timeZone", "taxes", "shipping", "cartMerge", "holdMinutes",
            "staffNeedsSecondFactor", "verifiedEmail", "keepOrderAddressesDays")
        let code = try root.required("currency", of: fields)
        guard let currency = Currency(code: try code.text()) else {
            throw code.expected("an ISO 4217 currency code such as EUR")
        }
        let standard = ShopSettings.standard(currency: currency)
        self.init(
            currency: currency,
            country: try fields["country"]?.country() ?? standard.country,
            // The standard location is the demo's, which no other shop has.
            place: try fields["place"]?.place() ?? (fields["country"] == nil ? standard.place : nil),
            timeZone: try fields["timeZone"]?.timeZone() ?? standard.timeZone,
            taxes: try fields["taxes"]?.taxes(standard: standard.taxes) ?? standard.taxes,
            shipping: try fields["shipping"]?.tariffs(currency) ?? standard.shipping,
            cartMerge: try fields["cartMerge"]?.choice() ?? standard.cartMerge,
            holdMinutes: try fields["holdMinutes"]?.integer(in: 1...1_440) ?? standard.holdMinutes,
            staffNeedsSecondFactor: try fields["staffNeedsSecondFactor"]?.flag() ?? standard.staffNeedsSecondFactor,
            verifiedEmail: Set(
                try fields["verifiedEmail"]?.list { node throws(ShopSettingsError) -> VerifiedEmailUse in
                    try node.choice()
                } ?? []),
            orderBuyerDays: try fields["keepOrderAddressesDays"]?.integer(in: 0...36_500)
        )
    }
}

extension SettingsNode {
    fileprivate func place() throws(ShopSettingsError) -> ShopPlace {
        let fields = try fields("name", "latitude", "longitude")
        return ShopPlace(
            name: try required("name", of: fields).text(),
            location: GeoPoint(
                latitude: try required("latitude", of: fields).degrees(in: -90...90),
                longitude: try required("longitude", of: fields).degrees(in: -180...180)))
    }

    fileprivate func timeZone() throws(ShopSettingsError) -> TimeZone {
        let name = try text()
        // Foundation also accepts abbreviations and offsets, but they differ between systems.
        guard name == "GMT" || name.contains("/"), let zone = TimeZone(identifier: name) else {
            throw expected("an IANA time zone such as Europe/Berlin, or GMT")
        }
        return zone
    }

    fileprivate func taxes(standard: TaxSettings) throws(ShopSettingsError) -> TaxSettings {
        let fields = try fields("pricesIncludeTax", "rounding", "regions")
        return TaxSettings(
            pricesIncludeTax: try fields["pricesIncludeTax"]?.flag() ?? standard.pricesIncludeTax,
            rounding: try fields["rounding"]?.choice() ?? standard.rounding,
            regions: try fields["regions"]?.list { node throws(ShopSettingsError) in try node.taxRegion() } ?? [])
    }

    private func taxRegion() throws(ShopSettingsError) -> TaxRegion {
        let fields = try fields("country", "region", "postalCodePrefix", "rate", "categories", "shipping")
        var categories: [String: TaxRate] = [:]
        for (category, rate) in try fields["categories"]?.entries() ?? [] { categories[category] = try rate.rate() }
        let country = try required("country", of: fields).country()
        if let region = fields["region"], !Regions.of(country).isEmpty,
            Regions.code(of: try region.text(), in: country) == nil
        {
            throw region.expected("a state or province of \(country), such as \(Regions.of(country)[0].code)")
        }
        return TaxRegion(
            territory: Territory(
                country: country, region: try fields["region"]?.text(),
                postalCodePrefix: try fields["postalCodePrefix"]?.text()),
            standardRate: try required("rate", of: fields).rate(),
            categoryRates: categories,
            shipping: try fields["shipping"]?.shippingTax() ?? .asItems)
    }

    private func shippingTax() throws(ShopSettingsError) -> TaxRegion.Shipping {
        switch try text() {
        case "untaxed": return .untaxed
        case "asItems": return .asItems
        default:
            do { return .rate(try rate()) } catch {
                throw expected("untaxed, asItems, or a percentage from 0 to 100")
            }
        }
    }

    fileprivate func tariffs(_ currency: Currency) throws(ShopSettingsError) -> [ShippingTariff] {
        var tariffs: [ShippingTariff] = []
        for node in try nodes() {
            let tariff = try node.tariff(currency)
            guard !tariffs.contains(where: { $0.id == tariff.id }) else {
                throw node.wrong("another shipping method has the id \(tariff.id)")
            }
            tariffs.append(tariff)
        }
        guard !tariffs.isEmpty else { throw expected("at least one shipping method") }
        return tariffs
    }

    private func tariff(_ currency: Currency) throws(ShopSettingsError) -> ShippingTariff {
        let fields = try fields("id", "name", "estimate", "regions")
        let id = try required("id", of: fields)
        guard try id.text().utf8.count <= 40,
            try id.text().allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "._~-".contains($0)) })
        else { throw id.expected("up to 40 of the characters A-Z a-z 0-9 . _ ~ -") }
        guard try id.text() != ShippingMethod.courierId else {
            throw id.wrong("\(ShippingMethod.courierId) is reserved for delivery by kangaroo")
        }
        let list = try required("regions", of: fields)
        let regions = try list.list { node throws(ShopSettingsError) in try node.shippingRegion(currency) }
        guard !regions.isEmpty else { throw list.expected("at least one region") }
        return ShippingTariff(
            id: try id.text(), name: try required("name", of: fields).text(),
            estimate: try required("estimate", of: fields).text(), regions: regions)
    }

    private func shippingRegion(_ currency: Currency) throws(ShopSettingsError) -> ShippingTariff.Region {
        let fields = try fields("countries", "postalCodePrefixes", "freeFrom", "rates")
        let countries = try fields["countries"]?.list { node throws(ShopSettingsError) in try node.country() } ?? []
        let prefixes =
            try fields["postalCodePrefixes"]?.list { node throws(ShopSettingsError) in try node.text() } ?? []
        guard prefixes.isEmpty || !countries.isEmpty else {
            throw wrong("postalCodePrefixes requires countries")
        }
        let territories = countries.flatMap { country in
            prefixes.isEmpty
                ? [Territory(country: country)] : prefixes.map { Territory(country: country, postalCodePrefix: $0) }
        }
        let list = try required("rates", of: fields)
        var rates: [ShippingTariff.Rate] = []
        for node in try list.nodes() {
            let rate = try node.shippingRate(currency)
            guard !rates.contains(where: { $0.upToGrams == rate.upToGrams }) else {
                throw node.wrong("another rate has the same weight")
            }
            rates.append(rate)
        }
        guard !rates.isEmpty else { throw list.expected("at least one rate") }
        return ShippingTariff.Region(
            territories: territories.isEmpty ? [.everywhere] : territories, rates: rates,
            freeFrom: try fields["freeFrom"]?.money(currency))
    }

    private func shippingRate(_ currency: Currency) throws(ShopSettingsError) -> ShippingTariff.Rate {
        let fields = try fields("upToGrams", "price")
        return ShippingTariff.Rate(
            upToGrams: try fields["upToGrams"]?.integer(in: 1...1_000_000_000),
            price: try required("price", of: fields).money(currency))
    }
}
