import ServerTesting
import Testing

@Suite("The settings file")
struct ShopSettingsFileTests {
    private static let whole = """
        currency: JOD
        country: NO
        place: {name: Harbour, latitude: -33.87, longitude: 151.21}
        timeZone: Europe/Berlin
        taxes:
          pricesIncludeTax: false
          rounding: perOrder
          regions:
            - {country: NO, region: Viken, postalCodePrefix: 01, rate: 25, categories: {food: 8.3125}, shipping: 12}
            - {country: DE, rate: 19}
            - {country: FR, rate: 0, shipping: untaxed}
        shipping:
          - id: post
            name: Post
            estimate: soon
            regions:
              - countries: [DE, NO]
                postalCodePrefixes: ["0", "1"]
                freeFrom: 50
                rates: [{price: 9.5}, {upToGrams: 500, price: 1.234}]
              - rates: [{price: 0}]
        cartMerge: guestWins
        holdMinutes: 30
        staffNeedsSecondFactor: true
        verifiedEmail: [rides, checkout]
        keepOrderAddressesDays: 30
        """

    @Test func `The settings template contains the standard settings`() throws {
        #expect(try ShopSettings(yaml: ShopSettings.commentedYAML) == .standard())
        #expect(try ShopSettings(yaml: "currency: EUR") == .standard())
    }

    @Test(arguments: ["DE", "AU"])
    func `A settings file with a country has no place unless it names one`(country: String) throws {
        let text = "currency: EUR\ncountry: \(country)"
        #expect(try ShopSettings(yaml: text).place == nil)
        let named = try ShopSettings(yaml: text + "\nplace: {name: Quay, latitude: -33.86, longitude: 151.2}")
        #expect(named.place?.name == "Quay")
    }

    @Test func `The examples of the template are valid once uncommented`() throws {
        let yaml = ShopSettings.commentedYAML.replacing("  regions: []\n", with: "")
            .split(separator: "\n").map { $0.replacing(/^( *)#(?=[^ ]|  )/) { $0.output.1 } }.joined(separator: "\n")
        let settings = try ShopSettings(yaml: yaml)
        #expect(settings.taxes.regions.map(\.standardRate) == [1_900, 950])
        #expect(settings.shipping.map(\.regions.count) == [2, 1])
    }

    @Test func `A settings file may name a region by its name`() throws {
        let yaml = Self.whole.replacing("country: DE, rate: 19", with: "country: US, region: California, rate: 9.5")
        let region = try #require(try ShopSettings(yaml: yaml).taxes.regions.dropFirst().first)
        #expect(region.territory == Territory(country: "US", region: "CA"))
    }

    /// Servers of earlier releases compare the encoded settings, and have rates in basis points.
    @Test func `Tax rates keep their encoding`() throws {
        let encoded = try JSONEncoder().encode(["19", "8.875"].compactMap(TaxRate.init(percent:)))
        #expect(String(decoding: encoded, as: UTF8.self) == #"[1900,"8.875"]"#)
    }

    @Test func `Every key of the settings is read`() throws {
        let jod = try #require(Currency(code: "JOD"))
        let expected = ShopSettings(
            currency: jod, country: "NO",
            place: ShopPlace(name: "Harbour", location: GeoPoint(latitude: -33.87, longitude: 151.21)),
            timeZone: try #require(TimeZone(identifier: "Europe/Berlin")),
            taxes: TaxSettings(
                pricesIncludeTax: false, rounding: .perOrder,
                regions: [
                    TaxRegion(
                        territory: Territory(country: "NO", region: "Viken", postalCodePrefix: "01"),
                        standardRate: 2_500, categoryRates: ["food": TaxRate(millionths: 83_125)],
                        shipping: .rate(1_200)),
                    TaxRegion(territory: Territory(country: "DE"), standardRate: 1_900, shipping: .asItems),
                    TaxRegion(territory: Territory(country: "FR"), standardRate: 0, shipping: .untaxed),
                ]),
            shipping: [
                ShippingTariff(
                    id: "post", name: "Post", estimate: "soon",
                    regions: [
                        .init(
                            territories: [
                                Territory(country: "DE", postalCodePrefix: "0"),
                                Territory(country: "DE", postalCodePrefix: "1"),
                                Territory(country: "NO", postalCodePrefix: "0"),
                                Territory(country: "NO", postalCodePrefix: "1"),
                            ],
                            rates: [.init(upToGrams: 500, price: Money(1_234, jod)), .init(price: Money(9_500, jod))],
                            freeFrom: Money(50_000, jod)),
                        .init(rates: [.init(price: .zero(jod))]),
                    ])
            ],
            cartMerge: .guestWins, holdMinutes: 30, staffNeedsSecondFactor: true, verifiedEmail: [.checkout, .rides],
            orderBuyerDays: 30)
        #expect(try ShopSettings(yaml: Self.whole) == expected)
    }

    @Test(
        arguments: [
            ("currency: JOD", "currency: XXX", 1, "currency"), ("currency: JOD", "curency: JOD", 1, "curency"),
            ("country: NO", "country: no", 2, "country"), ("latitude: -33.87", "latitude: 91", 3, "place.latitude"),
            ("latitude: -33.87", "lat: 1", 3, "place.lat"), ("latitude: -33.87", "latitude: nan", 3, "place.latitude"),
            ("Europe/Berlin", "Berlin", 4, "timeZone"), ("Europe/Berlin", "Europe/Nowhere", 4, "timeZone"),
            ("pricesIncludeTax: false", "pricesIncludeTax: maybe", 6, "taxes.pricesIncludeTax"),
            ("rounding: perOrder", "rounding: never", 7, "perLine or perOrder"),
            ("rate: 25", "rate: 100.01", 9, "taxes.regions[0].rate"),
            ("food: 8.3125", "food: 8.31255", 9, "categories.food"), ("rate: 19}", "tariff: 19}", 10, "tariff"),
            ("country: DE, rate: 19", "country: US, region: Kalifornien, rate: 9.5", 10, "state or province of US"),
            ("keepOrderAddressesDays: 30", "keepOrderAddressesDays: 36501", 26, "0 to 36500"),
            ("country: DE, rate: 19", "country: DE", 10, "rate"),
            ("shipping: untaxed", "shipping: sometimes", 11, "asItems"), ("id: post", "id: a b", 13, "shipping[0].id"),
            ("id: post", "id: kangaroo", 13, "shipping[0].id: kangaroo is reserved"),
            ("[DE, NO]", "[DE, Norway]", 17, "countries[1]"),
            ("freeFrom: 50", "freeFrom: 50.0001", 19, "decimal places"),
            ("price: 9.5}", "price: -1}", 20, "rates[0].price"), ("upToGrams: 500", "upToGrams: 0", 20, "upToGrams"),
            ("upToGrams: 500, ", "", 20, "same weight"), ("- rates: [{price: 0}]", "- rates: []", 21, "rates"),
            ("cartMerge: guestWins", "cartMerge: mix", 22, "sum, max, guestWins or accountWins"),
            ("holdMinutes: 30", "holdMinutes: 0", 23, "1 to 1440"),
            ("[rides, checkout]", "[rides, cart]", 25, "checkout or rides"),
            ("holdMinutes: 30", "country: DE", 2, "Duplicate keys: country"),
            ("holdMinutes: 30", "holdMinutes: [", nil, "YAML"), ("holdMinutes: 30", "holdMinutes:", 23, "holdMinutes"),
        ] as [(String, String, Int?, String)])
    func `Errors name line, key and allowed values`(right: String, wrong: String, line: Int?, expected: String) throws {
        let yaml = Self.whole.replacing(right, with: wrong)
        #expect(yaml != Self.whole)
        let error = try #require(throws: ShopSettingsError.self) { try ShopSettings(yaml: yaml) }
        #expect(error.detail.contains(expected), "\(error)")
        if let line { #expect(error.line == line, "\(error)") }
    }

    @Test(arguments: ["", "- 1", "just text", "currency: EUR\nshipping: []", "{}"])
    func `A settings file with another structure is refused`(yaml: String) {
        #expect(throws: ShopSettingsError.self) { try ShopSettings(yaml: yaml) }
    }
}

@Suite("States and provinces")
struct RegionNameTests {
    @Test(
        arguments: [
            ("US", "California", "CA"), ("US", "Calif.", "CA"), ("US", "US-CA", "CA"), ("US", " ca ", "CA"),
            ("US", "N.Y.", "NY"), ("US", "W. Va.", "WV"), ("US", "Washington D.C.", "DC"), ("CA", "Quebec", "QC"),
            ("CA", "Québec", "QC"), ("CA", "PQ", "QC"), ("CA", "Terre-Neuve-et-Labrador", "NL"), ("AU", "nsw", "NSW"),
            ("AU", "Western Australia", "WA"), ("BR", "Sao Paulo", "SP"), ("US", "Quebec", nil), ("US", "", nil),
            ("US", "Kalifornien", nil), ("DE", "Bayern", nil),
        ] as [(String, String, String?)])
    func `A region is found by its code, its name and what people write`(country: String, text: String, code: String?) {
        #expect(Regions.code(of: text, in: country) == code)
    }

    @Test(arguments: [("US", 59), ("CA", 13), ("AU", 8), ("BR", 27)])
    func `No spelling names two regions, and all are listed by their names`(country: String, count: Int) {
        let regions = Regions.of(country)
        #expect(regions.count == count && Set(regions.map(\.code)).count == count)
        for (code, name) in regions {
            #expect(Regions.code(of: code, in: country) == code)
            #expect(Regions.code(of: name, in: country) == code)
        }
        let names = regions.map { FoldedText.words(in: $0.name).joined() }
        #expect(names == names.sorted())
    }

    @Test func `A country without a table has no regions`() {
        #expect(Regions.of("DE").isEmpty && Regions.of("").isEmpty)
    }

    @Test(arguments: [("HK", false, false), ("SG", true, false), ("IE", false, true), ("DE", true, true)])
    func `Countries differ in whether they have postal codes, and cities`(country: String, code: Bool, city: Bool) {
        #expect(Country.needsPostalCode(country) == code && Country.needsCity(country) == city)
    }
}
