import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

struct AddressesValues: PageModel {
    static let template = "addresses"

    struct Card: TemplateValues {
        let label: String
        let addressLines: [String]
        let editUrl, deleteAction: String
    }

    let hasAddresses: Bool
    let addresses: [Card]
}

struct AddressValues: PageModel {
    static let template = "address"

    let heading, formAction: String
    /// The address of this page.
    let formUrl: String
    let address: AddressFields
}

extension PageRoutes {
    /// Adds the pages with the addresses that a customer saves for later orders.
    func addAddressPages() {
        let pages = AddressPages(site: site)
        let list = page("/account/addresses", for: .customer) { try await pages.list($0) }
        let new = page("/account/addresses/new", for: .customer) { try await pages.form($0, id: nil) }
        let edit = page("/account/addresses/{id}", for: .customer) { visit in
            try await pages.form(visit, id: try visit.parameter("id"))
        }
        form(
            "/account/addresses", does: Contract.addAddress, then: "/account/addresses", notice: "address-saved",
            showing: new)
        form(
            "/account/addresses/{id}", does: Contract.updateAddress, then: "/account/addresses",
            notice: "address-saved", showing: edit)
        form(
            "/account/addresses/{id}/delete", does: Contract.deleteAddress, then: "/account/addresses",
            notice: "address-deleted", showing: list)
    }
}

private struct AddressPages: Sendable {
    private static let path = "/account/addresses"

    let site: Site

    private func addresses(_ visit: Visit) async throws -> [Address] {
        try await site.read(visit) { [site] principal, repositories in
            try site.services.accounts.addresses(principal, in: repositories)
        }
    }

    private func name(_ visit: Visit) async throws -> String {
        try await site.read(visit) { [site] in try site.services.accounts.profile($0, in: $1).name }
    }

    func list(_ visit: Visit) async throws -> PageContent {
        let cards = try await addresses(visit).map { address -> AddressesValues.Card in
            let url = PagePath.path(Self.path + "/{}", address.id ?? "")
            return .init(
                label: "\(address.name), \(address.city)", addressLines: visit.language.lines(address), editUrl: url,
                deleteAction: url + "/delete")
        }
        let values = AddressesValues(hasAddresses: !cards.isEmpty, addresses: cards)
        return site.accountPage(values, .addresses, title: "addresses-title", visit)
    }

    /// - Parameter id: nil for a new address.
    func form(_ visit: Visit, id: String?) async throws -> PageContent {
        let address = try await addresses(visit).first { $0.id == id }
        guard id == nil || address != nil else { throw DomainError.notFound }
        let title = id == nil ? "addresses-add" : "address-change"
        // A new address omits empty fields; a changed one removes them.
        let fields = AddressFields(
            address, site.shop, visit, name: try await name(visit), optional: id == nil ? "?" : "!")
        let values = AddressValues(
            heading: site.text(title, visit), formAction: id.map { PagePath.path(Self.path + "/{}", $0) } ?? Self.path,
            formUrl: PagePath.path(Self.path + "/{}", id ?? "new"), address: fields)
        var content = site.accountPage(values, .addresses, title: title, visit)
        content.failure = .ofInputs(prefix: "address-")
        return content
    }
}
