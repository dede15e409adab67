import PouchDomain
import PouchEntities
import PouchTemplates

/// A line of the partial `order-lines`.
struct BoughtLine: TemplateValues {
    let name: String
    /// Whether the product is still in the catalogue.
    let isLinked: Bool
    let url: String?
    let image: PictureValues?
    /// The chosen options, such as “Forest, M”.
    let choice: String?
    let quantityText, lineTotal: String
    var refundText: String?
}

/// The values of the partial `order-summary`: amounts, each nil if its row is omitted.
struct SumValues: TemplateValues {
    let items: String
    let discountAmount, discountCode: String?
    let shippingAmount, shippingName: String?
    let isShippingFree: Bool
    let addedTax, includedTax: String?
    let total: String
    let refunded: String?
}

/// Creates the values for the lines of a cart or order, with names and pictures from the catalogue.
struct LineValues {
    let visit: Visit
    let catalog: CatalogSnapshot
    /// The names of products that are no longer in the catalogue, by SKU.
    var withdrawn: [String: String] = [:]

    /// The chosen options in the product's order, such as “Forest, M”; nil without any.
    ///
    /// - Parameter product: the product; nil if it is no longer in the catalogue.
    func choice(_ options: [String: String], _ product: Product?) -> String? {
        let names = product?.options.map(\.name) ?? options.keys.sorted()
        let values = names.compactMap { options[$0] }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The product name of a SKU; the SKU itself if the shop never sold it.
    private func name(of sku: String) -> String {
        catalog.variant(sku: sku)?.product.name ?? withdrawn[sku] ?? sku
    }

    // MARK: For `order-lines`

    func line(_ line: CartLine) -> BoughtLine {
        let product = catalog.variant(sku: line.sku)?.product
        return self.line(
            line.name, product, line.options, line.quantity, unitPrice: line.unitPrice, total: line.lineTotal,
            image: image(line.options, product) ?? line.image.flatMap(image))
    }

    func line(_ line: OrderLine) -> BoughtLine {
        let product = catalog.variant(sku: line.sku)?.product
        var values = self.line(
            line.name, product, line.options, line.quantity, unitPrice: line.unitPrice, total: line.lineTotal,
            image: image(line.options, product))
        if line.refundedQuantity > 0 {
            values.refundText = visit.text("line-refunded", visit.language.number(line.refundedQuantity))
        }
        return values
    }

    private func line(
        _ name: String, _ product: Product?, _ options: [String: String], _ quantity: Int, unitPrice: Money,
        total: Money, image: PictureValues?
    ) -> BoughtLine {
        BoughtLine(
            name: name, isLinked: product != nil, url: product.map { PagePath.product($0.handle) }, image: image,
            choice: choice(options, product),
            quantityText: "\(visit.language.number(quantity)) × \(visit.language.price(unitPrice))",
            lineTotal: visit.language.price(total))
    }

    func image(_ image: ProductImage) -> PictureValues? { ProductValues(visit: visit).image(image) }

    /// The picture of the chosen options, or the product's first picture; nil if the product is no longer sold.
    func image(_ options: [String: String], _ product: Product?) -> PictureValues? {
        product?.image(showing: Set(options.values.map { $0.lowercased() })).flatMap(image)
    }

    // MARK: Changes

    /// Describes a change that the shop made to a cart. Returns nil for an unrecognised change, and for a line from a
    /// guest's cart that was not in the account's cart.
    func text(_ change: CartChange) -> String? {
        let name = name(of: change.sku)
        let number = visit.language.number
        switch change.reason {
        case .priceChanged:
            guard let from = change.fromPrice, let to = change.toPrice else { return nil }
            return visit.text("change-price", name, visit.language.price(to), visit.language.price(from))
        case .quantityReduced, .merged:
            guard let from = change.fromQuantity, let to = change.toQuantity, change.reason != .merged || from > 0
            else { return nil }
            return visit.text("change-quantity", name, number(to), number(from))
        case .removed: return visit.text("change-removed", name)
        case .unrecognised: return nil
        }
    }

    /// Describes the shortage of a line; nil if enough units are in stock.
    func shortage(_ line: CartLine) -> String? {
        line.available < line.quantity ? stock(line.available) : nil
    }

    /// Describes a shortage, such as “Scarf: Only 1 left”.
    func text(_ short: StockShortfall) -> String { "\(name(of: short.sku)): \(stock(short.available))" }

    private func stock(_ units: Int) -> String {
        guard units > 0 else { return visit.text("stock-none") }
        return visit.text("stock-low", visit.language.number(units))
    }
}

extension Site {
    /// The names of withdrawn products removed from a cart, by SKU. A product that was never sold has no name.
    func names(of changes: [CartChange], in repositories: any Repositories) throws -> [String: String] {
        let removed = changes.filter { $0.reason == .removed }.map(\.sku).prefix(Self.maxNames)
        guard !removed.isEmpty else { return [:] }
        return try repositories.products.owners(ofSKUs: Array(removed)).compactMapValues { id in
            let product = try repositories.products.product(id, at: now)
            return product.flatMap { [.withdrawn, .archived].contains($0.status) ? $0.name : nil }
        }
    }

    /// The maximum number of names to read: each name is a separate read, and a form may list any SKUs.
    private static let maxNames = 20
}

extension Totals {
    /// The values of the partial `order-summary`.
    ///
    /// - Parameters:
    ///   - code: the discount code.
    ///   - method: the name of the delivery method; nil if none is chosen yet.
    ///   - returned: the refunded amount.
    func values(
        _ language: Language, discount code: String? = nil, shipping method: String?, refunded returned: Money? = nil
    ) -> SumValues {
        func shown(_ amount: Money, if isShown: Bool = true) -> String? {
            isShown && amount.amount > 0 ? language.price(amount) : nil
        }
        return SumValues(
            items: language.price(items), discountAmount: shown(discount),
            discountCode: discount.amount > 0 ? code : nil,
            shippingAmount: method.map { _ in language.price(shipping) },
            shippingName: method, isShippingFree: method != nil && shipping.amount == 0,
            addedTax: shown(tax, if: !includesTax), includedTax: shown(tax, if: includesTax),
            total: language.price(total), refunded: returned.flatMap { shown($0) })
    }
}
