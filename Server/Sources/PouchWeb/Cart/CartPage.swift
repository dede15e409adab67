import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchTemplates
import PouchWire

struct CartValues: PageModel {
    struct Line: TemplateValues {
        let name, url: String
        let image: PictureValues?
        let choice: String?
        let quantity, available, unitPrice, lineTotal: String
        /// The id of the quantity input.
        let fieldId, quantityLabel: String
        let updateAction, removeAction: String
        let stockNotice, saving: String?
    }

    struct Discount: TemplateValues {
        let code: String
        /// Whether the code has no effect on this cart.
        let isIdle: Bool
    }

    let lines: [Line]
    let changes: [String]
    let discount: Discount?
    let hasDiscountError: Bool
    let discountInput: String
    let totals: SumValues?
    let shippingHint: String?
    let recommendations: [ProductCard]
}

/// The page of the cart: its lines, the changes since the last visit, the discount and the totals.
struct CartPage {
    private static let recommendations = 4

    private let visit: Visit
    private let catalog: CatalogSnapshot
    /// The cart; nil for a visitor who never had one.
    private let cart: Cart?
    private let lines: LineValues

    static func content(_ visit: Visit) async throws -> PageContent {
        var (cart, withdrawn): (Cart?, [String: String]) = (nil, [:])
        if visit.session != nil {
            (cart, withdrawn) = try await visit.read { [carts = visit.site.services.carts] in
                let cart = try carts.cart($0, in: $1).cart
                return (cart, try visit.site.names(of: cart.changes, in: $1))
            }
        }
        visit.cookies.keepUnits(of: cart)
        let catalog = try await visit.site.services.catalog.current()
        let lines = LineValues(visit: visit, catalog: catalog, withdrawn: withdrawn)
        return CartPage(visit: visit, catalog: catalog, cart: cart, lines: lines).content
    }

    private var content: PageContent {
        let found = recommended
        let changes = cart?.changes.compactMap(lines.text) ?? []
        // Shows the refused code, not the one still in the cart.
        let isDiscount = visit.failure != nil && visit.path == "/cart/discount"
        let values = CartValues(
            lines: cart?.lines.map(line) ?? [], changes: changes,
            discount: cart?.discount.map { .init(code: $0.code, isIdle: $0.amount.amount == 0) },
            hasDiscountError: isDiscount, discountInput: isDiscount ? visit.enteredValue("code") : "",
            totals: cart.map { cart in
                cart.totals.values(
                    visit.language, discount: cart.discount?.code,
                    shipping: cart.shipping.map { visit.deliveryName($0.methodId) })
            },
            shippingHint: cart?.shipping.map {
                visit.text("cart-shipping-hint", visit.language.country($0.address.country))
            },
            recommendations: found.map { ProductValues(visit: visit).card($0) })
        return PageContent(values, title: visit.text("cart-title"))
    }

    private func line(_ line: CartLine) -> CartValues.Line {
        let path = PagePath.path("/cart/lines/{}", line.sku)
        let product = catalog.product(handle: line.productHandle)
        let choice = lines.choice(line.options, product)
        let name = [line.name, choice].compactMap(\.self).joined(separator: ", ")
        let quantity = String(line.quantity)
        return CartValues.Line(
            name: line.name, url: PagePath.product(line.productHandle),
            image: lines.image(line.options, product) ?? line.image.flatMap(lines.image), choice: choice,
            quantity: visit.path == path ? visit.enteredValue("quantity", default: quantity) : quantity,
            available: String(min(max(line.available, 0), ModelLimits.quantity.upperBound)),
            unitPrice: visit.language.price(line.unitPrice), lineTotal: visit.language.price(line.lineTotal),
            fieldId: "quantity-" + line.sku.filter { !$0.isWhitespace },
            quantityLabel: visit.text("cart-quantity-of", name), updateAction: path,
            removeAction: path + "/remove", stockNotice: lines.shortage(line),
            saving: line.discount.amount > 0 ? visit.language.price(line.discount) : nil)
    }

    /// Products from the category of the first line that are not in the cart; new products for an empty cart.
    private var recommended: [Product] {
        let first = cart?.lines.first.flatMap { catalog.product(handle: $0.productHandle) }
        let known = Set(cart?.lines.map(\.productHandle) ?? [])
        let query = ProductQuery(category: first?.category, inStock: true, limit: Self.recommendations + known.count)
        let found = (try? catalog.page(query).items) ?? []
        return Array(found.filter { !known.contains($0.handle) }.prefix(Self.recommendations))
    }
}

extension PageRoutes {
    /// Adds the page of the cart, and the forms that change it.
    func addCartPages() {
        let cart = page("/cart", for: .guestOrCustomer) { try await CartPage.content($0) }
        let product = productPageOfSKU()
        // An unknown SKU has no page to show.
        let origin = PageRoute(cart.path) { [site] visit in
            let isKnown = try await site.services.catalog.current().variant(sku: visit.enteredValue("sku")) != nil
            return try await isKnown ? product(visit) : cart(visit)
        }
        form("/cart/lines", for: .guestOrCustomer, showing: origin) { submission in
            let body = submission.json
            let line = JSON.object(["sku", "quantity"].reduce(into: [:]) { $0[$1] = body[$1] })
            let redirect = try await submission.changeCart(Contract.addCartLine, line)
            let visit = submission.visit
            let sku = visit.enteredValue("sku")
            let product = try await visit.site.services.catalog.current().variant(sku: sku)?.product
            if let product { submission.tell(visit.text("notice-added", product.name)) }
            return redirect
        }
        form("/cart/lines/{sku}", for: .guestOrCustomer, showing: cart) {
            try await $0.changeCart(Contract.setCartLine)
        }
        form("/cart/lines/{sku}/remove", for: .guestOrCustomer, showing: cart) {
            try await $0.changeCart(Contract.removeCartLine)
        }
        form("/cart/discount", for: .guestOrCustomer, showing: cart) { submission in
            // A code copied from an e-mail often includes a space.
            let code = submission.visit.enteredValue("code").trimmingCharacters(in: .whitespacesAndNewlines)
            return try await submission.changeCart(Contract.setCartDiscount, ["code": .string(code)] as JSON)
        }
        form("/cart/discount/remove", for: .guestOrCustomer, showing: cart) {
            try await $0.changeCart(Contract.removeCartDiscount)
        }
    }
}

extension Submission {
    /// Changes the cart with an API request, and redirects to the cart.
    fileprivate func changeCart<Input>(
        _ exchange: Exchange<Input, Cart>, _ body: (any JSONCodable)? = nil
    ) async throws -> Redirect {
        let cart = try await send(exchange, body)
        visit.cookies.keepUnits(of: cart)
        return Redirect(to: PagePath.cart)
    }
}

extension CookieJar {
    /// Stores the number of units for the header of all pages.
    func keepUnits(of cart: Cart?) {
        if let units = cart?.unitCount, units > 0 {
            set(.cart, to: String(units))
        } else {
            remove(.cart)
        }
    }
}
