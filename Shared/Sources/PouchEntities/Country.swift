import Foundation

/// Countries by their ISO 3166-1 codes, such as `DE`, and their English names.
public enum Country {
    /// The codes of all countries, without unions of countries.
    public static let codes: Set<String> = Set(
        Locale.Region.isoRegions.map(\.identifier).filter { $0.utf8.count == 2 }
    ).subtracting(["EU", "EZ", "QO", "UN", "ZZ"])

    private static let english = Locale(identifier: "en")
    private static let byName: [String: String] = {
        let usual = ["uk": "GB", "great britain": "GB", "england": "GB", "usa": "US", "holland": "NL", "turkey": "TR"]
        return codes.sorted().reduce(into: usual) { names, code in
            if let name = name(of: code) { names[FoldedText.fold(name)] = code }
        }
    }()

    /// The code of a country given by its code or English name, in any case; nil for any other text.
    public static func code(of text: String) -> String? {
        let text = text.trimmingCharacters(in: .whitespaces)
        return codes.contains(text.uppercased()) ? text.uppercased() : byName[FoldedText.fold(text)]
    }

    /// Whether an address in the country needs a postal code, according to the address data of Unicode's CLDR and
    /// Google.
    public static func needsPostalCode(_ code: String) -> Bool { withPostalCodes.contains(code) }

    /// Whether an address in the country needs a city in addition to the lines before it.
    public static func needsCity(_ code: String) -> Bool { !withoutCities.contains(code) }

    private static let withPostalCodes = set(
        """
        AS AT AU AX BE BL BR CA CH CN CZ DE DK EE ES FI FK FM FR GB GF GG GL GP GR GS GU HU IM IN IO IT JE JP KR LI LT LU LV \
        MF MH MP MQ MX MY NC NL NO NZ PF PL PM PN PR PT PW RE RO RU SE SG SH SJ SK SM TC TR TW UA US VI WF YT ZA
        """)
    private static let withoutCities = set("AE AG CO GI HK ID JP KY MO NR SG SM VG")

    private static func set(_ codes: String) -> Set<String> { Set(codes.split(separator: " ").map(String.init)) }

    /// The English name; nil for an unknown code.
    public static func name(of code: String) -> String? {
        codes.contains(code) ? english.localizedString(forRegionCode: code) : nil
    }
}
