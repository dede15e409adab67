import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP

/// The values of addresses: as lines to read, and as fields to fill in.
struct AddressValues: Sendable {
    let visit: Visit
    /// Its country is preselected in a new address.
    let shop: ShopSettings

    /// For the partial `address-lines`.
    func lines(_ address: Address) -> [String] {
        address.lines(country: visit.language.country(address.country))
    }

    /// For the partial `address-fields`: what was typed, or a stored address.
    ///
    /// - Parameters:
    ///   - name: of the person, with which a new address begins.
    ///   - prefix: of the fields' names, with a dot at its end, such as `address.`.
    ///   - optional: `!` to store an empty field as none, `?` to leave it out of the request.
    ///   - isRequired: whether a browser refuses empty fields; not for fields that it may hide.
    ///   - countries: nil for all.
    func fields(
        _ address: Address?, name: String? = nil, prefix: String = "", optional: String, isRequired: Bool = true,
        countries: [(code: String, name: String)]? = nil
    ) -> PageValues {
        func typed(_ name: String, _ stored: String?) -> String { visit.typed(prefix + name, or: stored) }
        let chosen = visit.query("country") ?? typed("country", address?.country ?? shop.country)
        let (rules, regions) = (AddressRules(shop), Regions.of(chosen))
        let region = typed("region", address?.region)
        return [
            "prefix": prefix, "optional": optional, "isRequired": isRequired,
            "needsPostalCode": rules.needsPostalCode(chosen), "needsCity": Country.needsCity(chosen),
            "needsRegion": rules.needsRegion(chosen), "hasRegions": !regions.isEmpty,
            "regions": regions.map { Choice($0.code, $0.name) }
                .values(chosen: Regions.code(of: region, in: chosen)),
            "name": typed("name", address?.name ?? name), "line1": typed("line1", address?.line1),
            "line2": typed("line2", address?.line2), "city": typed("city", address?.city),
            "region": region, "postalCode": typed("postalCode", address?.postalCode),
            "phone": typed("phone", address?.phone),
            "countries": (countries ?? visit.language.countries).map { Choice($0.code, $0.name) }
                .values(chosen: chosen),
        ]
    }
}
