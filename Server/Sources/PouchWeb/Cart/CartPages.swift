import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

extension PageRoutes {
    /// Adds the page of the cart, and the forms that change it.
    func addCartPages() {
        let cart = page("/cart", for: .guestOrCustomer) { [site] in try await CartPage.content(site, $0) }
        let product = productPageOfSKU()
        // An unknown SKU has no page to show.
        let origin = PageRoute(cart.path) { [site] visit in
            let isKnown = try await site.services.catalog.current().variant(sku: visit.typed("sku")) != nil
            return try await isKnown ? product(visit) : cart(visit)
        }
        form("/cart/lines", for: .guestOrCustomer, showing: origin) { submission in
            let body = submission.json
            let line = JSON.object(["sku", "quantity"].reduce(into: [:]) { $0[$1] = body[$1] })
            let redirect = try await submission.changeCart(Contract.addCartLine, line)
            let (site, visit) = (submission.site, submission.visit)
            let product = try await site.services.catalog.current().variant(sku: visit.typed("sku"))?.product
            if let product { submission.tell(site.text("notice-added", visit, product.name)) }
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
            let code = submission.visit.typed("code").trimmingCharacters(in: .whitespacesAndNewlines)
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
