import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

extension PageRoutes {
    /// The cart, and the forms that change it.
    ///
    /// - Parameter product: the page of a product, which is shown again when the product does not get into the cart.
    func addCartPages(product: @escaping Make) {
        let cart = page("/cart", for: .guestOrCustomer) { [site] in try await CartPage.content(site, $0) }
        // A product that nobody knows has no page to show.
        let origin: Make = { [site] visit in
            let sku = visit.typed("sku")
            guard let found = try await site.services.catalog.current().variant(sku: sku) else {
                return try await cart(visit)
            }
            return try await product(visit.naming("handle", found.product.handle))
        }
        form("/cart/lines", for: .guestOrCustomer, showing: origin) { submission in
            let body = submission.json
            let line = JSON.object(["sku", "quantity"].reduce(into: [:]) { $0[$1] = body[$1] })
            submission.visit.cookies.set(.notice, to: "added", for: 60)
            return try await submission.changeCart(Contract.addCartLine, line)
        }
        form("/cart/lines/{sku}", for: .guestOrCustomer, showing: cart) { try await $0.changeCart(Contract.setCartLine) }
        form("/cart/lines/{sku}/remove", for: .guestOrCustomer, showing: cart) {
            try await $0.changeCart(Contract.removeCartLine)
        }
        form("/cart/discount", for: .guestOrCustomer, showing: cart) { submission in
            // A code that was copied from a mail often brings a space along.
            let code = submission.visit.typed("code").trimmingCharacters(in: .whitespacesAndNewlines)
            return try await submission.changeCart(Contract.setCartDiscount, ["code": .string(code)])
        }
        form("/cart/discount/remove", for: .guestOrCustomer, showing: cart) {
            try await $0.changeCart(Contract.removeCartDiscount)
        }
        for path in ["lines", "lines/{sku}", "lines/{sku}/remove", "discount", "discount/remove"] {
            redirect("/cart/\(path)") { _ in PagePath.cart }
        }
    }
}

extension Submission {
    /// Changes the cart by a request of the API, and leads to the cart.
    fileprivate func changeCart(_ exchange: any AnyExchange, _ json: JSON? = nil) async throws -> Redirect {
        let cart = try Cart(json: await send(exchange, json))
        visit.cookies.keepUnits(of: cart)
        return Redirect(to: PagePath.cart)
    }
}

extension CookieJar {
    /// Remembers the number of units for the header of all pages.
    func keepUnits(of cart: Cart?) {
        if let units = cart?.unitCount, units > 0 {
            set(.cart, to: String(units))
        } else {
            remove(.cart)
        }
    }
}

extension Visit {
    /// The visit with another parameter of its path, for the page of another path.
    func naming(_ parameter: String, _ value: String) -> Visit {
        var context = context
        context.coreContext.parameters[parameter[...]] = value[...]
        return Visit(
            request: request, context: context, cookies: cookies, language: language, session: session, form: form,
            failure: failure)
    }
}
