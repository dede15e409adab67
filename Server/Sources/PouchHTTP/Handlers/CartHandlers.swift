import PouchContract
import PouchDomain
import PouchEntities

/// The cart of a guest or customer.
struct CartHandlers {
    let carts: CartService
    let pages: ListPager

    func cart(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<Cart> {
        Reply(try carts.cart(call.principal, in: repositories))
    }

    func clear(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<Cart> {
        Reply(try carts.clear(call.principal, ifMatch: call.ifMatch, in: repositories), to: call)
    }

    func addLine(_ call: Call<LineRequest>, in repositories: any Repositories) throws -> Reply<Cart> {
        Reply(
            try carts.add(
                sku: call.body.sku, quantity: call.body.quantity, to: call.principal, ifMatch: call.ifMatch,
                describing: !call.prefersMinimal, in: repositories),
            changed: call.body.sku, to: call)
    }

    func setLine(_ call: Call<QuantityRequest>, in repositories: any Repositories) throws -> Reply<Cart> {
        let sku = try call.parameter("sku")
        return Reply(
            try carts.set(
                sku: sku, quantity: call.body.quantity, of: call.principal, ifMatch: call.ifMatch,
                describing: !call.prefersMinimal, in: repositories),
            changed: sku, to: call)
    }

    func removeLine(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<Cart> {
        let sku = try call.parameter("sku")
        return Reply(
            try carts.remove(
                sku: sku, from: call.principal, ifMatch: call.ifMatch, describing: !call.prefersMinimal,
                in: repositories),
            changed: sku, to: call)
    }

    func setDiscount(_ call: Call<DiscountRequest>, in repositories: any Repositories) throws -> Reply<Cart> {
        Reply(
            try carts.setDiscount(
                code: call.body.code, of: call.principal, ifMatch: call.ifMatch, describing: !call.prefersMinimal,
                in: repositories),
            to: call)
    }

    func removeDiscount(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<Cart> {
        Reply(
            try carts.removeDiscount(
                of: call.principal, ifMatch: call.ifMatch, describing: !call.prefersMinimal, in: repositories),
            to: call)
    }

    func setShipping(_ call: Call<ShippingRequest>, in repositories: any Repositories) throws -> Reply<Cart> {
        Reply(
            try carts.setShipping(
                methodId: call.body.methodId, address: call.body.address.address(), of: call.principal,
                ifMatch: call.ifMatch, describing: !call.prefersMinimal, in: repositories),
            to: call)
    }

    func shippingMethods(
        _ call: Call<Void>, in repositories: any Repositories
    ) throws -> Reply<Page<ShippingMethod>> {
        let query = try call.query(ShippingMethodsQuery.self)
        let methods = try carts.shippingMethods(
            for: call.principal, country: query.country, postalCode: query.postalCode, location: query.location,
            in: repositories)
        return Reply(try pages.page(of: methods, list: "shipping-methods", query.page))
    }
}

extension Reply<Cart> {
    fileprivate init(_ cart: PricedCart) {
        self.init(cart.cart, etag: String(cart.version))
    }

    /// The whole cart, or its summary if the call prefers the minimal answer.
    ///
    /// - Parameter sku: the SKU of the changed line.
    fileprivate init(_ cart: PricedCart, changed sku: String? = nil, to call: Call<some Sendable>) {
        guard call.prefersMinimal else {
            self.init(cart)
            return
        }
        self.init(minimal: cart.summary(changed: sku), etag: String(cart.version))
    }
}
