import PouchEntities

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
