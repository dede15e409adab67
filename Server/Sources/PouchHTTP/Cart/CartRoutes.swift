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
            Reply(try carts.cart(principal, in: repositories))
        }
        routes.write(Contract.clearCart) { call, principal, repositories in
            Reply(try carts.clear(principal, ifMatch: call.ifMatch(), in: repositories), to: call)
        }
        routes.write(Contract.addCartLine) { call, principal, repositories in
            Reply(
                try carts.add(
                    sku: call.body.sku, quantity: call.body.quantity, to: principal, ifMatch: call.ifMatch(),
                    describing: !call.prefersMinimal, in: repositories),
                changed: call.body.sku, to: call)
        }
        routes.write(Contract.setCartLine) { call, principal, repositories in
            let sku = try call.parameter("sku")
            return Reply(
                try carts.set(
                    sku: sku, quantity: call.body.quantity, of: principal, ifMatch: call.ifMatch(),
                    describing: !call.prefersMinimal, in: repositories),
                changed: sku, to: call)
        }
        routes.write(Contract.removeCartLine) { call, principal, repositories in
            let sku = try call.parameter("sku")
            return Reply(
                try carts.remove(
                    sku: sku, from: principal, ifMatch: call.ifMatch(), describing: !call.prefersMinimal,
                    in: repositories),
                changed: sku, to: call)
        }
        routes.write(Contract.setCartDiscount) { call, principal, repositories in
            Reply(
                try carts.setDiscount(
                    code: call.body.code, of: principal, ifMatch: call.ifMatch(), describing: !call.prefersMinimal,
                    in: repositories),
                to: call)
        }
        routes.write(Contract.removeCartDiscount) { call, principal, repositories in
            Reply(
                try carts.removeDiscount(
                    of: principal, ifMatch: call.ifMatch(), describing: !call.prefersMinimal, in: repositories),
                to: call)
        }
        routes.write(Contract.setCartShipping) { call, principal, repositories in
            Reply(
                try carts.setShipping(
                    methodId: call.body.methodId, address: call.body.address.address(), of: principal,
                    ifMatch: call.ifMatch(), describing: !call.prefersMinimal, in: repositories),
                to: call)
        }
        routes.read(Contract.shippingMethods) { call, principal, repositories in
            let query = try call.query(ShippingMethodsQuery.self)
            let methods = try carts.shippingMethods(
                for: principal, country: query.country, postalCode: query.postalCode, location: query.location,
                in: repositories)
            return Reply(try pages.page(of: methods, list: "shipping-methods", query.page))
        }
    }
}

extension Reply<Cart> {
    init(_ cart: PricedCart) {
        self.init(cart.cart, etag: String(cart.version))
    }

    /// As much of the cart as the call asks for.
    ///
    /// - Parameter sku: the line that the write was about.
    init(_ cart: PricedCart, changed sku: String? = nil, to call: Call<some Sendable>) {
        guard call.prefersMinimal else {
            self.init(cart)
            return
        }
        self.init(minimal: cart.summary(changed: sku), etag: String(cart.version))
    }
}
