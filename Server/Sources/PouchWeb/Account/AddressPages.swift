import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

struct AddressesValues: PageModel {
    struct Card: TemplateValues {
        let label: String
        let addressLines: [String]
        let editUrl, deleteAction: String
    }

    let addresses: [Card]
}

struct AddressValues: PageModel {
    let heading, formAction: String
    /// The address of this page.
    let formUrl: String
    let address: AddressFields
}

extension PageRoutes {
    /// Adds the pages with the addresses that a customer saves for later orders.
    func addAddressPages() {
        let path = PagePath.addresses
        let list = account(path, title: "addresses-title") { visit in
            AddressesValues(
                addresses: try await visit.addresses().map { address in
                    let url = PagePath.path(path + "/{}", address.id ?? "")
                    return .init(
                        label: "\(address.name), \(address.city)", addressLines: visit.language.lines(address),
                        editUrl: url, deleteAction: url + "/delete")
                })
        }
        let new = page("/account/addresses/new", for: .customer) { try await $0.addressPage(id: nil) }
        let edit = page("/account/addresses/{id}", for: .customer) { visit in
            try await visit.addressPage(id: try visit.parameter("id"))
        }
        form("/account/addresses", does: Contract.addAddress, then: path, notice: "address-saved", showing: new)
        form(
            "/account/addresses/{id}", does: Contract.updateAddress, then: path, notice: "address-saved", showing: edit)
        form(
            "/account/addresses/{id}/delete", does: Contract.deleteAddress, then: path, notice: "address-deleted",
            showing: list)
    }
}

extension Visit {
    fileprivate func addresses() async throws -> [Address] {
        try await read { [accounts = site.services.accounts] in try accounts.addresses($0, in: $1) }
    }

    /// - Parameter id: nil for a new address.
    fileprivate func addressPage(id: String?) async throws -> PageContent {
        let address = try await addresses().first { $0.id == id }
        guard id == nil || address != nil else { throw DomainError.notFound }
        let title = id == nil ? "addresses-add" : "address-change"
        // A new address omits empty fields; a changed one removes them.
        let fields = AddressFields(
            address, site.shop, self, name: try await profile().name, optional: id == nil ? "?" : "!")
        let path = PagePath.addresses
        let values = AddressValues(
            heading: text(title), formAction: id.map { PagePath.path(path + "/{}", $0) } ?? path,
            formUrl: PagePath.path(path + "/{}", id ?? "new"), address: fields)
        var content = accountPage(values, in: path, title: title)
        content.failure = .ofInputs(prefix: "address-")
        return content
    }
}
/// The values of the partial `address-fields`.
struct AddressFields: TemplateValues {
    let prefix, optional: String
    let isRequired, needsPostalCode, needsCity, needsRegion: Bool
    /// The regions to choose from; empty for a country without such a list.
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
        func typed(_ field: String, _ stored: String?) -> String { visit.enteredValue(prefix + field, default: stored) }
        let country = visit.query("country") ?? typed("country", address?.country ?? shop.country)
        let (rules, regions) = (AddressRules(shop), Regions.of(country))
        let region = typed("region", address?.region)
        self.prefix = prefix
        self.optional = optional
        self.isRequired = isRequired
        needsPostalCode = rules.needsPostalCode(country)
        needsCity = Country.needsCity(country)
        needsRegion = rules.needsRegion(country)
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
