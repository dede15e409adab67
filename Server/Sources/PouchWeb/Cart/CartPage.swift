import PouchDomain
import PouchEntities
import PouchHTTP

/// The lines of the cart, what has changed since the last visit, the discount and the totals.
struct CartPage {
    private static let recommendations = 4

    private let site: Site
    private let visit: Visit
    private let catalog: CatalogSnapshot
    /// nil for a visitor who never had one.
    private let cart: Cart?
    private let lines: LineValues

    static func content(_ site: Site, _ visit: Visit) async throws -> PageContent {
        var (cart, withdrawn): (Cart?, [String: String]) = (nil, [:])
        if visit.session != nil {
            (cart, withdrawn) = try await site.read(visit) { [site, carts = site.services.carts] in
                let cart = try carts.cart($0, in: $1).cart
                return (cart, try site.names(of: cart.changes, in: $1))
            }
        }
        visit.cookies.keepUnits(of: cart)
        let catalog = try await site.services.catalog.current()
        let lines = LineValues(site: site, visit: visit, catalog: catalog, withdrawn: withdrawn)
        return CartPage(site: site, visit: visit, catalog: catalog, cart: cart, lines: lines).content
    }

    private var content: PageContent {
        let found = recommended
        let changes = cart?.changes.compactMap(lines.text) ?? []
        var values: PageValues = [
            "hasLines": cart?.lines.isEmpty == false, "hasChanges": !changes.isEmpty, "changes": changes,
            "hasRecommendations": !found.isEmpty,
            "recommendations": found.map { ProductValues(site: site, visit: visit).card($0) },
        ]
        if let cart {
            values["lines"] = cart.lines.map(line)
            values["discount"] = cart.discount.map { ["code": $0.code, "isIdle": $0.amount.amount == 0] as PageValues }
            // The code that was refused, not the one that the cart still has.
            let isDiscount = visit.failure != nil && visit.path == "/cart/discount"
            values["hasDiscountError"] = isDiscount
            values["discountInput"] = isDiscount ? visit.typed("code") : ""
            let method = cart.shipping.map { site.deliveryName($0.methodId, visit) }
            values["totals"] = cart.totals.values(visit.language, discount: cart.discount?.code, shipping: method)
            values["shippingHint"] = cart.shipping.map {
                site.text("cart-shipping-hint", visit, visit.language.country($0.address.country))
            }
        }
        return PageContent("cart", title: site.text("cart-title", visit), values)
    }

    private func line(_ line: CartLine) -> PageValues {
        let path = PagePath.path("/cart/lines/{}", line.sku)
        let product = catalog.product(handle: line.productHandle)
        let choice = lines.choice(line.options, product)
        var values: PageValues = [
            "name": line.name, "url": PagePath.product(line.productHandle),
            "quantity": visit.path == path ? visit.typed("quantity", or: String(line.quantity)) : String(line.quantity),
            "available": String(min(max(line.available, 0), ModelLimits.quantity.upperBound)),
            "unitPrice": visit.language.price(line.unitPrice), "lineTotal": visit.language.price(line.lineTotal),
            "fieldId": "quantity-" + line.sku.filter { !$0.isWhitespace },
            "quantityLabel": site.text(
                "cart-quantity-of", visit, [line.name, choice].compactMap(\.self).joined(separator: ", ")),
            "updateAction": path, "removeAction": path + "/remove",
        ]
        values["image"] = lines.image(line.options, product) ?? line.image.flatMap(lines.image)
        values["choice"] = choice
        values["stockNotice"] = lines.shortage(line)
        if line.discount.amount > 0 { values["saving"] = visit.language.price(line.discount) }
        return values
    }

    /// Products of the category of the first line that are not in the cart; new ones for an empty cart.
    private var recommended: [Product] {
        let first = cart?.lines.first.flatMap { catalog.product(handle: $0.productHandle) }
        let known = Set(cart?.lines.map(\.productHandle) ?? [])
        let query = ProductQuery(category: first?.category, inStock: true, limit: Self.recommendations + known.count)
        let found = (try? catalog.page(query).items) ?? []
        return Array(found.filter { !known.contains($0.handle) }.prefix(Self.recommendations))
    }
}
