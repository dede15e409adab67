import PouchDomain
import PouchEntities
import PouchTemplates

/// The values of the partial `address-fields`.
struct AddressFields: TemplateValues {
    let prefix, optional: String
    let isRequired, needsPostalCode, needsCity, needsRegion: Bool
    /// Whether the country has a list of regions to choose from.
    let hasRegions: Bool
    let regions: [Choice.Values]
    let name, line1, line2, city, region, postalCode, phone: String
    let countries: [Choice.Values]

    /// Creates the fields with the visitor's entries or a stored address.
    ///
    /// - Parameters:
    ///   - shop: the shop, whose country is preselected in a new address.
    ///   - name: the name of the person, for a new address.
    ///   - prefix: the prefix of the fields' names, with a trailing dot, such as `address.`.
    ///   - optional: `!` to store an empty field as none, `?` to omit it from the request.
    ///   - isRequired: whether browsers refuse empty fields; false for fields that may be hidden.
    ///   - countries: the countries to choose from; nil for all.
    init(
        _ address: Address?, _ shop: ShopSettings, _ visit: Visit, name: String? = nil, prefix: String = "",
        optional: String, isRequired: Bool = true, countries: [(code: String, name: String)]? = nil
    ) {
        func typed(_ field: String, _ stored: String?) -> String { visit.typed(prefix + field, or: stored) }
        let country = visit.query("country") ?? typed("country", address?.country ?? shop.country)
        let (rules, regions) = (AddressRules(shop), Regions.of(country))
        let region = typed("region", address?.region)
        self.prefix = prefix
        self.optional = optional
        self.isRequired = isRequired
        needsPostalCode = rules.needsPostalCode(country)
        needsCity = Country.needsCity(country)
        needsRegion = rules.needsRegion(country)
        hasRegions = !regions.isEmpty
        self.regions = regions.map { Choice($0.code, $0.name) }.values(chosen: Regions.code(of: region, in: country))
        self.name = typed("name", address?.name ?? name)
        line1 = typed("line1", address?.line1)
        line2 = typed("line2", address?.line2)
        city = typed("city", address?.city)
        self.region = region
        postalCode = typed("postalCode", address?.postalCode)
        phone = typed("phone", address?.phone)
        self.countries = (countries ?? visit.language.countries).map { Choice($0.code, $0.name) }
            .values(chosen: country)
    }
}

extension Language {
    /// The lines of an address, for the partial `address-lines`.
    func lines(_ address: Address) -> [String] { address.lines(country: country(address.country)) }
}
