import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

extension PageRoutes {
    /// Adds the page with the stock of all variants, and the forms to change it.
    func addStockPages() {
        let page = admin(.stock) {
            try await StockPage(admin: $0, address: StockPage.address($0.visit)).content()
        }
        form("/admin/variants/{sku}", for: .staff(.writeCatalog), showing: page) { submission in
            let variant = try await submission.send(Contract.updateVariant)
            submission.tell("\(variant.sku): \(variant.available) available.")
            return Redirect(to: StockPage.address(submission.visit).url() + "#" + StockPage.anchor(of: variant.sku))
        }
    }
}

struct AdminStockValues: PageModel {
    struct Filter: TemplateValues {
        let isLow: Bool
        let threshold: Int
    }

    struct Level: TemplateValues {
        let name, sku, anchor, optionsText, onHand, heldText: String
        let available: Int
        let status: StatusValues?
        let productURL, action: String
    }

    let tabs: [ListTab]
    let filter: Filter
    let levels: [Level]
    let emptyText: String
    let pager: PagerValues?
}

/// The page of the stock, by SKU.
private struct StockPage {
    let admin: AdminVisit
    let address: ListAddress

    static func address(_ visit: Visit) -> ListAddress {
        ListAddress(AdminSection.stock.path, ["low", "threshold", "sku"], of: visit)
    }

    /// The id of a row. A SKU can have any characters, but an id cannot have spaces.
    static func anchor(of sku: String) -> String {
        "stock-" + sku.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? String($0) : "_" }.joined()
    }

    func content() async throws -> PageContent {
        let sku = address["sku"]
        let query = try StockQuery(QueryString(address.query.items.filter { $0.name != "sku" }))
        let (pager, environment) = (admin.site.pager, admin.site.environment)
        let page = try await admin.read { repositories in
            if let sku { return Page(items: try Self.level(of: sku, environment, in: repositories), nextCursor: nil) }
            return try pager.page(list: "stock", query.page, key: \.sku) { after, limit in
                try repositories.figures.stockLevels(
                    atMost: query.most, after: after, limit: limit)
            }
        }
        let isLow = query.most != nil
        let values = AdminStockValues(
            tabs: [
                .init(label: "All variants", url: AdminSection.stock.path, isCurrent: !isLow && sku == nil),
                .init(label: "Low in stock", url: AdminSection.stock.path + "?low=true", isCurrent: isLow),
            ],
            filter: .init(isLow: isLow, threshold: query.threshold ?? Availability.lowStock),
            levels: page.items.map(row), emptyText: emptyText(isLow: isLow, sku: sku), pager: address.pager(page))
        return PageContent(values, title: "Stock")
    }

    private func emptyText(isLow: Bool, sku: String?) -> String {
        if isLow { return "Nothing is low in stock." }
        return sku.map { "No variant has the SKU \($0)." } ?? "The shop has no variants yet."
    }

    /// The stock of one variant; empty if it is unknown or was removed.
    private static func level(
        of sku: String, _ environment: DomainEnvironment, in repositories: any Repositories
    ) throws -> [StockLevel] {
        guard let owner = try repositories.products.owners(ofSKUs: [sku])[sku],
            let product = try repositories.products.product(owner, at: environment.time.now),
            let variant = product.variants.first(where: { $0.sku == sku })
        else { return [] }
        return [
            StockLevel(
                sku: sku, productHandle: product.handle, name: product.name, options: variant.options,
                onHand: variant.onHand, held: variant.held, available: variant.available)
        ]
    }

    private func row(_ level: StockLevel) -> AdminStockValues.Level {
        let language = admin.visit.language
        return .init(
            name: level.name, sku: level.sku, anchor: Self.anchor(of: level.sku),
            optionsText: level.options.optionsText, onHand: language.number(level.onHand),
            heldText: level.held > 0 ? language.number(level.held) : "", available: level.available,
            status: status(level.available), productURL: AdminPath.product(level.productHandle),
            action: address.url(of: PagePath.path("/admin/variants/{}", level.sku)))
    }

    private func status(_ available: Int) -> StatusValues? {
        switch available {
        case ...0: StatusTone.bad.status("sold out")
        case ...Availability.lowStock: StatusTone.warn.status("low")
        default: nil
        }
    }
}
