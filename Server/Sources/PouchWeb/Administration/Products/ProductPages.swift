import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

extension PageRoutes {
    /// Adds the pages of new and stored products, and the forms on them.
    func addProductPages() {
        let new = admin("/admin/products/new", .writeCatalog) { admin in
            let taxonomy = try await admin.read { try AdminProductPage.Taxonomy(in: $0) }
            return AdminProductPage(admin: admin, product: nil, taxonomy: taxonomy, latest: nil).content
        }
        form("/admin/products", for: .staff(.writeCatalog), showing: new) { submission in
            let form = ProductForm(submission.form, submission.site)
            try form.checkVariants()
            let product = try await submission.send(Contract.addProduct, form.terms)
            submission.tell(
                product.status == .published
                    ? "“\(product.name)” was published." : "“\(product.name)” was saved as a draft.")
            return Redirect(to: AdminPath.product(product.id))
        }

        let page = admin(.products, "/{id}") { try await $0.product() }
        form("/admin/products/{id}", for: .staff(.writeCatalog), showing: page) { submission in
            let id = try submission.visit.parameter("id")
            let form = ProductForm(submission.form, submission.site)
            let edit = try ProductEdit(form)
            try form.checkAddedValues(to: edit.shown.options ?? [])
            try await submission.perform(Contract.updateProduct, edit.patch)
            submission.tell("“\(edit.typed.name)” was saved.")
            return Redirect(to: AdminPath.product(id))
        }
        form("/admin/products/{id}/status", does: Contract.updateProduct, showing: page) {
            ("“\($0.name)” was \($0.status.participle).", AdminPath.product($0.id))
        }
        // Changes the price and stock of one variant, without the rest of the form.
        form("/admin/products/{id}/variants", for: .staff(.writeCatalog), showing: page) { submission in
            let id = try submission.visit.parameter("id")
            guard let sku = submission.form["sku"], !sku.isEmpty else { throw RequestProblem(.unknownSKU) }
            var members = submission.json.object ?? [:]
            members["sku"] = nil
            let variant = try await submission.send(
                Contract.updateVariant, JSON.object(members), parameters: ["sku": sku])
            let price = submission.visit.language.price(variant.price)
            submission.tell("\(sku): \(price), \(variant.available) available.")
            return Redirect(to: AdminPath.product(id) + "#variants-title")
        }
    }
}

extension AdminVisit {
    /// The page of the product in the path, or in the form for its pictures. A form for an earlier version shows the
    /// differences.
    fileprivate func product() async throws -> PageContent {
        guard let key = (try? visit.parameter("id")) ?? visit.form?["product"] else { throw DomainError.notFound }
        return try await product(key)
    }

    func product(_ key: String) async throws -> PageContent {
        let (mayReadAudit, environment) = (may(.readAudit), visit.site.environment)
        let (product, taxonomy, latest) = try await read { repositories in
            let product = try ProductAdministration(environment).product(key, in: repositories)
            return (
                product, try AdminProductPage.Taxonomy(in: repositories),
                mayReadAudit ? try product.latestChange(in: repositories) : nil
            )
        }
        if visit.failure?.problem.code == .versionConflict, let form = visit.form,
            let edit = try? ProductEdit(ProductForm(form, visit.site))
        {
            return ProductConflict(admin: self, stored: product, edit: edit, taxonomy: taxonomy, latest: latest).content
        }
        return AdminProductPage(admin: self, product: product, taxonomy: taxonomy, latest: latest).content
    }
}

extension ManagedProduct {
    /// The object of the product's entries in the audit log.
    var audited: String { Contract.updateProduct.endpoint.template.path(["id": id]) }

    /// The audit log's entry about the change that made the current version; nil if there is none, such as after an
    /// import or a scheduled change.
    fileprivate func latestChange(in repositories: any Repositories) throws -> AuditEntry? {
        // Requests that changed nothing have entries, too.
        let entries = try repositories.audit.entries(AuditSelection(object: audited), after: nil, limit: 20)
        return entries.first { entry in
            if let replaced = entry.before { return replaced["version"] == JSON.integer(Int64(version - 1)) }
            return version == 1 && entry.action == Contract.addProduct.endpoint.name
        }
    }
}

extension ProductValues {
    /// The source of an image element; an empty picture for an address that browsers would execute.
    static func source(_ url: String) -> String { address(ProductImage(url: url, alt: "")) ?? "data:," }
}

extension ProductStatus {
    var badge: StatusValues {
        switch self {
        case .draft: StatusTone.plain.status("Draft")
        case .published: StatusTone.good.status("Published")
        case .withdrawn: StatusTone.warn.status("Withdrawn")
        case .archived: StatusTone.plain.status("Archived")
        case .unrecognised: StatusTone.plain.status("Unknown")
        }
    }

    /// The participle for products that have just received the status.
    var participle: String {
        [.published, .withdrawn, .archived].contains(self) ? badge.text.lowercased() : "changed"
    }

    /// The buttons for the possible next statuses.
    var actions: [AdminProductValues.StatusAction] {
        let next: [ProductStatus] = [.withdrawn, .archived, .published]
        return next.filter { $0 != self && ProductMachine.allows(self, to: $0) }.map { status in
            .init(status: status.rawValue, label: label(to: status), isMain: status == .published)
        }
    }

    private func label(to status: ProductStatus) -> String {
        switch status {
        case .published: "Publish"
        case .archived: "Archive"
        default: self == .archived ? "Restore from archive" : "Withdraw"
        }
    }
}
