import PouchEntities

/// A part of the world with its own rules.
public struct Territory: Sendable, Equatable, Encodable {
    /// The ISO 3166-1 alpha-2 code; nil for everywhere.
    public let country: String?
    /// A state or province: its code if `Regions` knows it, otherwise its name in addresses, compared without case.
    public let region: String?
    /// The start of a postal code, compared without case and spaces.
    public let postalCodePrefix: String?

    public init(country: String?, region: String? = nil, postalCodePrefix: String? = nil) {
        self.country = country
        self.region = region.map { Destination.region($0, in: country ?? "") }
        self.postalCodePrefix = postalCodePrefix.map(Destination.plain)
    }

    public static let everywhere = Territory(country: nil)

    /// The rank of the territory for a destination: by the length of the postal code prefix, then by region, then by
    /// country. nil if the destination is not in it, or too little of the destination is known.
    func specificity(for place: Destination) -> Int? {
        if let country, country != place.country { return nil }
        if let region, region != place.region { return nil }
        if let postalCodePrefix, !(place.postalCode?.hasPrefix(postalCodePrefix) ?? false) { return nil }
        return 4 * (postalCodePrefix?.utf8.count ?? 0) + (region == nil ? 0 : 2) + (country == nil ? 0 : 1)
    }
}

extension Sequence {
    /// The element with the most specific territory for a destination; among equals, the first.
    func mostSpecific(for place: Destination, territories: (Element) -> [Territory]) -> Element? {
        var best: (element: Element, specificity: Int)?
        for element in self {
            for territory in territories(element) {
                guard let specificity = territory.specificity(for: place) else { continue }
                if specificity > best?.specificity ?? -1 { best = (element, specificity) }
            }
        }
        return best?.element
    }
}

/// The parts of an address that affect taxes and shipping prices.
public struct Destination: Sendable {
    public let country: String
    public let region: String?
    public let postalCode: String?
    public let location: GeoPoint?

    package init(country: String, region: String? = nil, postalCode: String? = nil, location: GeoPoint? = nil) {
        self.country = country.uppercased()
        self.region = region.map { [country = self.country] in Self.region($0, in: country) }
        self.postalCode = postalCode.map(Self.plain)
        self.location = location
    }

    init(_ address: Address) {
        self.init(
            country: address.country, region: address.region, postalCode: address.postalCode,
            location: address.location)
    }

    static func region(_ text: String, in country: String) -> String {
        Regions.code(of: text, in: country) ?? plain(text)
    }

    /// The text in capitals and without white space, which people write or omit in postal codes.
    static func plain(_ text: String) -> String {
        text.uppercased().filter { !$0.isWhitespace }
    }
}

/// The states and provinces of the countries whose postal service or taxes need them.
public enum Regions {
    /// The ISO 3166-2 codes without the country, each with its English name, in the order of the names. Empty for a
    /// country without a table.
    public static func of(_ country: String) -> [(code: String, name: String)] {
        tables[country]?.regions.map { ($0[0], $0[1]) } ?? []
    }

    /// The code of a region given by its code (with or without the country), its name or an abbreviation, in any case,
    /// with or without accents, dots and spaces; nil for any other text.
    public static func code(of text: String, in country: String) -> String? {
        tables[country]?.codes[key(text)]
    }

    private struct Table {
        /// For each region, its code, its name, and other spellings.
        let regions: [[String]]
        /// The codes by all spellings.
        let codes: [String: String]

        init(_ country: String, _ rows: String) {
            regions = rows.split(separator: "|").map { $0.split(separator: "=").map(String.init) }
                .sorted { key($0[1]) < key($1[1]) }
            codes = regions.reduce(into: [:]) { codes, region in
                for spelling in region + [country + region[0]] { codes[key(spelling)] = region[0] }
            }
        }
    }

    private static func key(_ text: String) -> String { FoldedText.words(in: text).joined() }

    /// From the address data of Unicode's CLDR and Google, with common abbreviations.
    private static let tables = [
        "AU": """
        ACT=Australian Capital Territory|NSW=New South Wales|NT=Northern Territory|QLD=Queensland|SA=South Australia|\
        TAS=Tasmania|VIC=Victoria|WA=Western Australia
        """,
        "BR": """
        AC=Acre|AL=Alagoas|AP=Amapá|AM=Amazonas|BA=Bahia|CE=Ceará|DF=Distrito Federal|ES=Espírito Santo|GO=Goiás|\
        MA=Maranhão|MT=Mato Grosso|MS=Mato Grosso do Sul|MG=Minas Gerais|PA=Pará|PB=Paraíba|PR=Paraná|\
        PE=Pernambuco|PI=Piauí|RJ=Rio de Janeiro|RN=Rio Grande do Norte|RS=Rio Grande do Sul|RO=Rondônia|\
        RR=Roraima|SC=Santa Catarina|SP=São Paulo|SE=Sergipe|TO=Tocantins
        """,
        "CA": """
        AB=Alberta=Alta|BC=British Columbia=Colombie-Britannique|MB=Manitoba=Man|\
        NB=New Brunswick=Nouveau-Brunswick|\
        NL=Newfoundland and Labrador=NF=Nfld=Newfoundland=Labrador=Terre-Neuve-et-Labrador|\
        NT=Northwest Territories=NWT=Territoires du Nord-Ouest|NS=Nova Scotia=Nouvelle-Écosse|NU=Nunavut|\
        ON=Ontario=Ont|PE=Prince Edward Island=PEI=Île-du-Prince-Édouard|QC=Quebec=PQ=Que|SK=Saskatchewan=Sask|\
        YT=Yukon=YK=Yukon Territory
        """,
        "US": """
        AL=Alabama=Ala|AK=Alaska|AS=American Samoa|AZ=Arizona=Ariz|AR=Arkansas=Ark|AA=Armed Forces Americas|\
        AE=Armed Forces Europe|AP=Armed Forces Pacific|CA=California=Calif|CO=Colorado=Colo|CT=Connecticut=Conn|\
        DE=Delaware=Del|DC=District of Columbia=Washington DC|FL=Florida=Fla|GA=Georgia|GU=Guam|HI=Hawaii|\
        ID=Idaho|IL=Illinois=Ill|IN=Indiana=Ind|IA=Iowa|KS=Kansas=Kan=Kans|KY=Kentucky|LA=Louisiana|ME=Maine|\
        MD=Maryland|MA=Massachusetts=Mass|MI=Michigan=Mich|MN=Minnesota=Minn|MS=Mississippi=Miss|MO=Missouri|\
        MT=Montana=Mont|NE=Nebraska=Neb=Nebr|NV=Nevada=Nev|NH=New Hampshire|NJ=New Jersey|NM=New Mexico|\
        NY=New York|NC=North Carolina|ND=North Dakota|MP=Northern Mariana Islands|OH=Ohio|OK=Oklahoma=Okla|\
        OR=Oregon=Ore|PA=Pennsylvania=Penn|PR=Puerto Rico|RI=Rhode Island|SC=South Carolina|SD=South Dakota|\
        TN=Tennessee=Tenn|TX=Texas=Tex|UT=Utah|VT=Vermont|VI=Virgin Islands|VA=Virginia|WA=Washington=Wash|\
        WV=West Virginia=W.Va|WI=Wisconsin=Wis|WY=Wyoming=Wyo
        """,
    ].reduce(into: [String: Table]()) { $0[$1.key] = Table($1.key, $1.value) }
}
