import PouchDomain
import PouchEntities

/// The values of the lines of a cart or an order, with the names and pictures of the catalogue.
struct LineValues {
    let site: Site
    let visit: Visit
    let catalog: CatalogSnapshot

    /// The chosen options in the product's order, such as “Forest, M”; nil without any.
    func choice(_ options: [String: String], sku: String) -> String? {
        let names = catalog.variant(sku: sku)?.product.options.map(\.name) ?? options.keys.sorted()
        let values = names.compactMap { options[$0] }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The name of a SKU's product; the SKU itself for a product that the shop no longer has.
    func name(of sku: String) -> String { catalog.variant(sku: sku)?.product.name ?? sku }

    // MARK: For `order-lines`

    func line(_ line: CartLine) -> PageValues {
        var values = self.line(
            name: line.name, sku: line.sku, line.options, line.quantity, line.unitPrice, line.lineTotal)
        values["image"] = line.image.map(image)
        return values
    }

    func line(_ line: OrderLine) -> PageValues {
        var values = self.line(
            name: line.name, sku: line.sku, line.options, line.quantity, line.unitPrice, line.lineTotal)
        values["image"] = catalog.variant(sku: line.sku)?.product.images.first.map(image)
        if line.refundedQuantity > 0 {
            let units = visit.language.number(line.refundedQuantity)
            values["refundText"] = site.text("line-refunded", visit, units)
        }
        return values
    }

    private func line(
        name: String, sku: String, _ options: [String: String], _ quantity: Int, _ unitPrice: Money, _ lineTotal: Money
    ) -> PageValues {
        let product = catalog.variant(sku: sku)?.product
        var values: PageValues = [
            "name": name, "isLinked": product != nil,
            "quantityText": "\(visit.language.number(quantity)) × \(visit.language.price(unitPrice))",
            "lineTotal": visit.language.price(lineTotal),
        ]
        values["url"] = product.map { PagePath.product($0.handle) }
        values["choice"] = choice(options, sku: sku)
        return values
    }

    func image(_ image: ProductImage) -> PageValues { ["url": image.url, "alt": image.alt] }

    // MARK: Changes

    /// What the shop changed in a cart, for people; nil for a change that this version does not know.
    func text(_ change: CartChange) -> String? {
        let name = name(of: change.sku)
        let number = visit.language.number
        switch change.reason {
        case .priceChanged:
            guard let from = change.fromPrice, let to = change.toPrice else { return nil }
            return site.text("change-price", visit, name, visit.language.price(to), visit.language.price(from))
        case .quantityReduced, .merged:
            guard let from = change.fromQuantity, let to = change.toQuantity else { return nil }
            return site.text("change-quantity", visit, name, number(to), number(from))
        case .removed: return site.text("change-removed", visit, name)
        case .unrecognised: return nil
        }
    }

    /// The shortage of a line; nil if there are enough units.
    func shortage(_ line: CartLine) -> String? {
        guard line.available < line.quantity else { return nil }
        guard line.available > 0 else { return site.text("stock-none", visit) }
        return site.text("stock-low", visit, visit.language.number(line.available))
    }
}

extension Totals {
    /// The values of the partial `order-summary`.
    ///
    /// - Parameters:
    ///   - code: the discount code.
    ///   - method: the name of the delivery method; nil until one is chosen.
    ///   - returned: the amount that was refunded.
    func values(
        _ language: Language, discount code: String? = nil, shipping method: String?, refunded returned: Money? = nil
    ) -> PageValues {
        var values: PageValues = ["items": language.price(items), "total": language.price(total)]
        if discount.amount > 0 {
            values["discountAmount"] = language.price(discount)
            values["discountCode"] = code
        }
        if let method {
            values["shippingAmount"] = language.price(shipping)
            values["shippingName"] = method
        }
        if tax.amount > 0 { values[includesTax ? "includedTax" : "addedTax"] = language.price(tax) }
        if let returned, returned.amount > 0 { values["refunded"] = language.price(returned) }
        return values
    }
}
