import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

extension PageRoutes {
    /// Adds the product list and the form that changes the selected products.
    func addProductListPages() {
        let list = admin(.products) {
            try await AdminProductList(admin: $0, address: AdminProductList.address($0.visit)).content()
        }
        form("/admin/products/bulk", for: .staff(.writeCatalog), showing: list) { submission in
            try await BulkEdit(submission).perform()
        }
    }
}

struct AdminProductsValues: PageModel {
    struct Filter: TemplateValues {
        let status: String?
        let text: String
        /// Whether the list is filtered by text or category.
        let isSet: Bool
    }

    struct Product: TemplateValues {
        let index: Int
        let id, name, handle: String
        let isSelected: Bool
        let image: PictureValues?
        let status: StatusValues
        let scheduleText: String?
        let categoryName: String
        let variantCount: Int
        let stockText: String
        let stockBadge: String?
        let priceText: String
    }

    let tabs: [ListTab]
    let bulkURL: String
    let filter: Filter
    let categories: [Choice.Values]
    let products: [Product]
    let emptyText: String
    let pager: PagerValues?
}

/// The list of products in all statuses.
struct AdminProductList {
    let admin: AdminVisit
    let address: ListAddress

    /// The address of the list from a visit's query, including the query of a form on the list.
    static func address(_ visit: Visit) -> ListAddress {
        ListAddress(AdminSection.products.path, ["status", "q", "category"], of: visit)
    }

    func content() async throws -> PageContent {
        let query = try ManagedProductsQuery(address.query)
        let selection = ProductSelection(status: query.status, text: query.text, category: query.category)
        let (environment, pager) = (admin.site.environment, admin.site.pager)
        let (page, categories) = try await admin.read { repositories in
            (
                try pager.page(list: "managed-products", query.page, key: \.id) { after, limit in
                    try ProductAdministration(environment).products(
                        selection, after: after, limit: limit, in: repositories)
                }, try repositories.taxonomy.categoryNames()
            )
        }
        let names = categories.byKey { ($0.id, $0.name) }
        let isSet = query.text != nil || query.category != nil
        let values = AdminProductsValues(
            tabs: tabs(query.status), bulkURL: address.url(of: AdminSection.products.path + "/bulk"),
            filter: .init(status: query.status?.rawValue, text: query.text ?? "", isSet: isSet),
            categories: categories.map { Choice($0.id, $0.name) }.values(chosen: query.category),
            products: page.items.enumerated().map { row($1, $0, category: names[$1.details.category]) },
            emptyText: isSet || query.status != nil ? "No matching products." : "The shop has no products yet.",
            pager: address.pager(page))
        return PageContent(values, title: "Products")
    }

    private func tabs(_ status: ProductStatus?) -> [ListTab] {
        let statuses: [ProductStatus?] = [nil, .published, .draft, .withdrawn, .archived]
        return statuses.map { tab in
            ListTab(
                label: tab?.badge.text ?? "All", url: address.url(["status": tab?.rawValue, "cursor": nil]),
                isCurrent: tab == status)
        }
    }

    private func row(_ product: ManagedProduct, _ index: Int, category: String?) -> AdminProductsValues.Product {
        let available = product.variants.map(\.available)
        return .init(
            index: index, id: product.id, name: product.name, handle: product.handle,
            isSelected: chosen.contains(product.id),
            image: product.details.images.first.map { .init(url: ProductValues.source($0.url), alt: $0.alt) },
            status: product.status.badge, scheduleText: scheduleText(product.state),
            categoryName: category ?? product.details.category, variantCount: product.variants.count,
            stockText: admin.visit.language.number(available.reduce(0, +)), stockBadge: stockBadge(available),
            priceText: priceText(product))
    }

    /// The products whose checkboxes are ticked: those that could not be changed, or all selected ones if the failure
    /// names none.
    private var chosen: Set<String> {
        let failed = Set(admin.visit.failure?.fields.map(\.field) ?? [])
        return failed.isEmpty ? admin.ticked("ids") ?? [] : failed
    }

    private func scheduleText(_ state: ProductState) -> String? {
        admin.period(from: state.publishAt, until: state.withdrawAt, admin.time).ifNotEmpty
    }

    private func stockBadge(_ available: [Int]) -> String? {
        let soldOut = available.filter { $0 <= 0 }.count
        let low = available.filter { (1...Availability.lowStock).contains($0) }.count
        return soldOut > 0 ? "\(soldOut) sold out" : low > 0 ? "\(low) low" : nil
    }

    private func priceText(_ product: ManagedProduct) -> String {
        let prices = product.variants.map(\.price).sorted { $0.amount < $1.amount }
        guard let lowest = prices.first else { return "–" }
        let text = admin.price(lowest)
        return prices.last == lowest ? text : "from \(text)"
    }
}

/// Changes the selected products, each with its own API request. Products that cannot be changed are reported by
/// name.
private struct BulkEdit {
    private let submission: Submission
    private let ids: [String]
    private let patch: ProductPatch

    init(_ submission: Submission) throws {
        self.submission = submission
        let chosen = submission.form.texts(of: "ids").sorted { $0.key < $1.key }.map(\.value)
        ids = Array(chosen.prefix(Limits.pageSize.upperBound))
        let status = submission.form["status"].flatMap(ProductStatus.init(rawValue:))
        let category = submission.form["category"].flatMap { $0.isEmpty ? nil : $0 }
        var patch = ProductPatch.empty
        patch.status = status
        if status == nil { patch.category = category }
        self.patch = patch
        guard !ids.isEmpty else { throw RequestProblem(.validationFailed, "Select products first.", []) }
        guard patch.status != nil || category != nil else {
            throw RequestProblem(.validationFailed, "Choose a category first.", [])
        }
    }

    func perform() async throws -> Redirect {
        let environment = submission.site.environment
        let before = try await submission.visit.read { [ids] _, repositories in
            try ids.compactMap { try repositories.products.product($0, at: environment.time.now) }
        }.byKey { ($0.id, $0) }
        var (changed, failed): ([String], [FieldProblem]) = ([], [])
        for id in ids {
            do {
                try await submission.perform(Contract.updateProduct, patch, parameters: ["id": id])
                changed.append(id)
            } catch {
                // An error of one product does not affect the others, unlike an ended session.
                guard let problem = RequestProblem(error), ![401, 403, 503].contains(problem.code.status) else {
                    throw error
                }
                let reason = [problem.code.title, problem.detail].compactMap(\.self).joined(separator: ". ")
                let name = before[id]?.name ?? id
                failed.append(FieldProblem(field: id, code: problem.code.rawValue, detail: "\(name): \(reason)"))
            }
        }
        guard failed.isEmpty else {
            let text =
                changed.isEmpty
                ? "No products were changed."
                : "\(Self.count(changed.count)) changed; \(failed.count) could not be changed:"
            throw RequestProblem(.statusConflict, text, failed)
        }
        let verb = patch.status?.participle ?? "moved"
        submission.tell("\(Self.count(changed.count)) \(verb).", undo: undo(changed, before))
        return Redirect(to: AdminProductList.address(submission.visit).url())
    }

    /// A form that restores the previous status of the products, if it was the same for all.
    private func undo(_ ids: [String], _ before: [String: ManagedProduct]) -> Notice.Undo? {
        guard let status = patch.status, let old = before[ids[0]]?.status, old != status,
            ids.allSatisfy({ before[$0]?.status == old }), ProductMachine.allows(status, to: old)
        else { return nil }
        let fields = ids.enumerated().map { HiddenField("ids.\($0)", $1) } + [HiddenField("status", old.rawValue)]
        return Notice.Undo(action: AdminSection.products.path + "/bulk", fields: fields)
    }

    private static func count(_ number: Int) -> String {
        number == 1 ? "1 product was" : "\(number) products were"
    }
}
