import Foundation
import PouchEntities

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
            problems.append(InvalidField(prefix + "region", .invalid, Self.missingRegion(in: address.country)))
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
