import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates

struct AdminSearchValues: PageModel {
    struct Group: TemplateValues {
        let label, anchor: String
        let results: [Result]
        /// The address of the list with all results; nil if all are shown.
        let allURL: String?
    }

    struct Result: TemplateValues {
        let url, label, detail: String
        let status: StatusValues?
    }

    let groups: [Group]
    let emptyText: String
}

/// The orders, customers and products that match a text. An order number redirects to the order.
struct AdminSearchPage {
    /// The maximum number of results of each kind.
    private static let most = 8

    let admin: AdminVisit

    private struct Found: Sendable {
        var orders: [Order] = []
        var customers: [Customer] = []
        var products: [ManagedProduct] = []
    }

    func content() async throws -> PageContent {
        guard let text = admin.visit.query("q")?.trimmingCharacters(in: .whitespacesAndNewlines),
            text.count <= ModelLimits.emailLength.upperBound
        else { return page("Search", [], emptyText: "Search for an order number, customer or product.") }
        let found = try await find(text)
        if found.orders.count == 1, OrderSearch(text: text).number != nil {
            throw Redirect(to: AdminPath.order(found.orders[0].id))
        }
        let groups = [
            group("Orders", "orders", found.orders.map(result), all: link(AdminSection.orders.path, text)),
            group("Customers", "customers", found.customers.map(result), all: link(AdminSection.customers.path, text)),
            group("Products", "products", found.products.map(result), all: link(AdminSection.products.path, text)),
        ]
        return page("Results for “\(text)”", groups.compactMap(\.self), emptyText: "No results.")
    }

    private func find(_ text: String) async throws -> Found {
        let (admin, now, search) = (admin, admin.site.now, OrderSearch(text: text))
        return try await admin.read { repositories in
            var found = Found()
            if admin.may(.readOrders) {
                found.orders = try repositories.orders.orders(
                    matching: search, after: nil, limit: Self.most
                ).map(\.order)
            }
            // A number redirects to its order, without a search of all customers and products.
            if search.number != nil, found.orders.count == 1 { return found }
            if admin.may(.readCustomers) {
                found.customers = try repositories.customers.customers(
                    matching: SearchTerm.terms(in: text), after: nil, limit: Self.most)
            }
            if admin.may(.readCatalog) {
                found.products = try repositories.products.products(
                    ProductSelection(text: text), after: nil, limit: Self.most, at: now)
            }
            return found
        }
    }

    // MARK: Values

    private func page(_ title: String, _ groups: [AdminSearchValues.Group], emptyText: String) -> PageContent {
        PageContent(AdminSearchValues(groups: groups, emptyText: emptyText), title: title)
    }

    /// - Returns: the group; nil without results.
    private func group(
        _ label: String, _ anchor: String, _ results: [AdminSearchValues.Result], all: String
    ) -> AdminSearchValues.Group? {
        guard !results.isEmpty else { return nil }
        return .init(
            label: label, anchor: anchor, results: results, allURL: results.count < Self.most ? nil : all)
    }

    private func link(_ path: String, _ text: String) -> String { PagePath.adding([("q", text)], to: path) }

    private func result(_ order: Order) -> AdminSearchValues.Result {
        let name = order.shipping?.address.name ?? "deleted"
        return .init(
            url: AdminPath.order(order.id), label: order.number,
            detail: "\(name), \(admin.price(order.totals.total))", status: order.status.adminStatus)
    }

    private func result(_ customer: Customer) -> AdminSearchValues.Result {
        .init(url: AdminPath.customer(customer.id), label: customer.name, detail: customer.email, status: nil)
    }

    private func result(_ product: ManagedProduct) -> AdminSearchValues.Result {
        .init(
            url: AdminPath.product(product.id), label: product.name, detail: product.handle,
            status: product.status.badge)
    }
}
