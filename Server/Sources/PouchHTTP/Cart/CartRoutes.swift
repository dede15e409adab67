import PouchContract
import PouchDomain
import PouchEntities

/// The cart of a guest or customer.
struct CartRoutes {
    let services: ShopServices
    let pages: ListPager

    func register(with routes: RouteRegistrar) {
        let carts = services.carts
        routes.read(Contract.cart) { _, principal, repositories in
            Reply(cart: try carts.cart(principal, in: repositories))
        }
        routes.write(Contract.clearCart) { call, principal, repositories in
            Reply(cart: try carts.clear(principal, ifMatch: call.ifMatch(), in: repositories))
        }
        routes.write(Contract.addCartLine) { call, principal, repositories in
            Reply(
                cart: try carts.add(
                    sku: call.body.sku, quantity: call.body.quantity, to: principal, ifMatch: call.ifMatch(),
                    in: repositories),
                changed: call.body.sku)
        }
        routes.write(Contract.setCartLine) { call, principal, repositories in
            let sku = try call.parameter("sku")
            return Reply(
                cart: try carts.set(
                    sku: sku, quantity: call.body.quantity, of: principal, ifMatch: call.ifMatch(),
                    in: repositories),
                changed: sku)
        }
        routes.write(Contract.removeCartLine) { call, principal, repositories in
            let sku = try call.parameter("sku")
            return Reply(
                cart: try carts.remove(sku: sku, from: principal, ifMatch: call.ifMatch(), in: repositories),
                changed: sku)
        }
        routes.write(Contract.setCartDiscount) { call, principal, repositories in
            Reply(cart: try carts.setDiscount(code: call.body.code, of: principal, in: repositories))
        }
        routes.write(Contract.removeCartDiscount) { call, principal, repositories in
            Reply(cart: try carts.removeDiscount(of: principal, ifMatch: call.ifMatch(), in: repositories))
        }
        routes.write(Contract.setCartShipping) { call, principal, repositories in
            Reply(
                cart: try carts.setShipping(
                    methodId: call.body.methodId, address: call.body.address.address(), of: principal,
                    ifMatch: call.ifMatch(), in: repositories))
        }
        routes.read(Contract.shippingMethods) { call, _, _ in
            let query = try call.query(ShippingMethodsQuery.self)
            let methods = carts.shippingMethods
            let numbered = methods.enumerated().map { (key: String(1_000 + $0), method: $1) }
            let found = try pages.page(of: numbered, list: "shipping-methods", query.page, key: \.key)
            return Reply(Page(items: found.items.map(\.method), nextCursor: found.nextCursor))
        }
    }
}

extension Reply<Cart> {
    /// - Parameter sku: the line that the write was about.
    init(cart: Cart, changed sku: String? = nil) {
        self.init(
            cart, etag: String(cart.version),
            minimal: CartSummary(
                id: cart.id, version: cart.version, line: cart.lines.first { $0.sku == sku }, totals: cart.totals))
    }
}
