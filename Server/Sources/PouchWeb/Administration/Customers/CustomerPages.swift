import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

struct CustomersValues: PageModel {
    struct Filter: TemplateValues {
        let text: String
        let isSet: Bool
    }

    let filter: Filter
    let customers: [CustomerFacts]
    let emptyText: String
    let pager: PagerValues?
}

struct CustomerValues: PageModel {
    struct Address: TemplateValues {
        let lines: [String]
    }

    let customer: CustomerFacts
    let orders: [AdminOrderRow]
    let addresses: [Address]
}

/// An account with its order totals.
struct CustomerFacts: TemplateValues {
    let url, name, email: String
    let mobileNumber: String?
    let createdAt, createdText: String
    let orderCount: Int
    let spentText: String
}

extension AdminVisit {
    /// The page of customer accounts with their order totals.
    func customersPage() async throws -> PageContent {
        let text = try customerSearch
        let terms = text.map(SearchTerm.terms) ?? []
        let page = try await list(
            "customers", like: Contract.customers, key: { (customer: Customer) in customer.id }
        ) { repositories, after, limit in
            try repositories.customers.customers(matching: terms, after: after, limit: limit)
        }
        let values = CustomersValues(
            filter: .init(text: text ?? "", isSet: text != nil), customers: page.items.map(facts),
            emptyText: text == nil
                ? "No customer accounts yet." : "No customer has this e-mail address or name.",
            pager: ListAddress(AdminSection.customers.path, ["q"], of: visit).pager(page))
        return PageContent(values, title: "Customers")
    }

    /// The page of a customer with addresses and orders.
    func customerPage() async throws -> PageContent {
        let id = try visit.parameter("id")
        let details = try await read { try $0.customers.details(id: id, in: $0) }
        let values = CustomerValues(
            customer: facts(details.customer), orders: details.orders.map(row),
            addresses: details.addresses.map { .init(lines: $0.lines()) })
        return PageContent(values, title: details.customer.name)
    }

    private func facts(_ customer: Customer) -> CustomerFacts {
        CustomerFacts(
            url: AdminPath.customer(customer.id), name: customer.name, email: customer.email,
            mobileNumber: customer.mobileNumber?.ifNotEmpty, createdAt: machineTime(customer.createdAt),
            createdText: day(customer.createdAt), orderCount: customer.orderCount, spentText: price(customer.spent))
    }

    /// The search text, within the length that the API allows; nil for none.
    ///
    /// - Throws: `QueryProblem`.
    private var customerSearch: String? {
        get throws {
            var query = QueryString()
            query.append("q", visit.query("q"))
            return try CustomersQuery(query).text
        }
    }
}
