import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

/// The address of a list with the parameters that select its items. Forms on the list have the same query.
///
///     let address = ListAddress("/admin/orders", ["status", "q"], of: visit)
///     let paid = address.url(["status": "paid", "cursor": nil])
struct ListAddress: Sendable {
    let path: String
    private let names: [String]
    private let values: [String: String]

    /// - Parameter names: the parameters of the list without the cursor; other query parameters are omitted.
    init(_ path: String, _ names: [String] = [], of visit: Visit) {
        self.path = path
        self.names = names + ["cursor"]
        values = self.names.reduce(into: [:]) { $0[$1] = visit.query($1) }
    }

    var query: QueryString { QueryString(names.compactMap { name in self[name].map { .init(name: name, value: $0) } }) }

    /// The value of a parameter; nil if it is missing or blank.
    subscript(_ name: String) -> String? { values[name] }

    /// - Parameters:
    ///   - changes: the parameters to change; nil removes a parameter.
    ///   - path: the path of a form that shows the list again, or of a file with the same items.
    func url(_ changes: [String: String?] = [:], of path: String? = nil) -> String {
        PagePath.adding(names.map { (name: $0, value: changes[$0] ?? values[$0]) }, to: path ?? self.path)
    }

    /// The links to other pages; nil for a list of one page.
    func pager<Item>(_ page: Page<Item>) -> PagerValues? {
        let isFirst = values["cursor"] == nil
        guard !isFirst || page.nextCursor != nil else { return nil }
        return PagerValues(
            firstURL: isFirst ? nil : url(["cursor": nil]), nextURL: page.nextCursor.map { url(["cursor": $0]) },
            summary: "\(page.items.count) on this page")
    }
}

/// The values of the partial `admin-pager`.
struct PagerValues: TemplateValues {
    let firstURL, nextURL: String?
    let summary: String
}

/// A link above a list to a different selection of its items.
struct ListTab: TemplateValues {
    struct Count: TemplateValues {
        let text: String
        let isUrgent: Bool
    }

    let label, url: String
    let isCurrent: Bool
    var count: Count?
}

extension AdminVisit {
    /// Reads a page of a stored list, starting at the cursor in the visit's query.
    ///
    /// - Parameter exchange: the request of the API for the same list, so that the audit log counts the pages of both;
    ///   nil for a list that the API does not have.
    func list<Item: Sendable>(
        _ name: String, like exchange: (any AnyExchange)?, key: @escaping @Sendable (Item) -> String,
        _ items: @escaping @Sendable (any ShopRepositories, _ after: String?, _ limit: Int) throws -> [Item]
    ) async throws -> Page<Item> {
        var query = QueryString()
        query.append("cursor", visit.query("cursor"))
        let page = try PageQuery(query)
        if let exchange {
            try await AuditLog(visit.site.environment).recordPage(
                of: exchange, request: visit.request, by: principal, from: visit.context.client,
                in: visit.site.services.store)
        }
        return try await read { [pager = visit.site.pager] repositories in
            try pager.page(list: name, page, key: key) { try items(repositories, $0, $1) }
        }
    }
}
