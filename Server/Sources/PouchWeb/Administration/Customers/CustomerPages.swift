import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire

extension PageRoutes {
    func addAdminCustomerPages() {
        admin("/admin/customers", .readCustomers) { try await CustomersPage(admin: $0).content() }
        admin("/admin/customers/{id}", .readCustomers) { try await CustomerPage(admin: $0).content() }
    }
}

/// The accounts of customers with the sums of their orders.
struct CustomersPage {
    let admin: AdminVisit

    func content() async throws -> PageContent {
        let text = try admin.customerSearch
        let terms = text.map(SearchTerm.terms) ?? []
        let page = try await admin.list("customers", of: Contract.customers.endpoint, key: { (customer: Customer) in customer.id }) {
            repositories, after, limit in
            try repositories.customers.customers(matching: terms, after: after, limit: limit)
        }
        return PageContent(
            "admin-customers", title: "Customers",
            [
                "filter": ["text": text ?? "", "isSet": text != nil] as PageValues,
                "hasCustomers": !page.items.isEmpty, "customers": page.items.map(row),
                "emptyText": text == nil
                    ? "No customer has an account yet." : "No customer has this e-mail address or name.",
                "pager": ListAddress(AdminPath.customers, ["q"], of: admin.visit).pager(page),
            ])
    }

    private func row(_ customer: Customer) -> PageValues {
        [
            "url": AdminPath.customer(customer.id), "name": customer.name, "email": customer.email,
            "createdAt": admin.machineTime(customer.createdAt), "createdText": admin.day(customer.createdAt),
            "orderCount": customer.orderCount, "spentText": admin.price(customer.spent),
        ]
    }
}

/// A customer with addresses and orders.
struct CustomerPage {
    let admin: AdminVisit

    func content() async throws -> PageContent {
        let id = try admin.visit.parameter("id")
        let details = try await admin.read { try $0.customers.details(id: id, in: $0) }
        let customer = details.customer
        return PageContent(
            "admin-customer", title: customer.name,
            [
                "customer": [
                    "name": customer.name, "email": customer.email, "mobileNumber": shown(customer.mobileNumber),
                    "createdAt": admin.machineTime(customer.createdAt), "createdText": admin.day(customer.createdAt),
                    "orderCount": customer.orderCount, "spentText": admin.price(customer.spent),
                ] as PageValues,
                "hasOrders": !details.orders.isEmpty, "orders": details.orders.map(admin.row),
                "addresses": details.addresses.map { ["lines": $0.lines()] as PageValues },
            ])
    }
}

extension AdminVisit {
    /// The text of the search, within the length that the API allows; nil for none.
    ///
    /// - Throws: `QueryProblem`.
    fileprivate var customerSearch: String? {
        get throws {
            var query = QueryString()
            query.append("q", visit.query("q"))
            return try CustomersQuery(query).text
        }
    }
}
