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
        try change(call, .clear, in: repositories)
    }

    func addLine(_ call: Call<LineRequest>, in repositories: any Repositories) throws -> Reply<Cart> {
        try change(call, .add(sku: call.input.sku, quantity: call.input.quantity), in: repositories)
    }

    /// The answer to a repeated `addLine`: the current cart. Storing the answers would let a guest fill the disk.
    func addedLine(_ call: Call<LineRequest>, in repositories: any Repositories) throws -> Reply<Cart> {
        let cart = try carts.cart(call.principal, in: repositories)
        return call.prefersMinimal ? Reply(minimal: cart.summary(changed: call.input.sku)) : Reply(cart)
    }

    func setLine(_ call: Call<QuantityRequest>, in repositories: any Repositories) throws -> Reply<Cart> {
        let sku = try call.parameter("sku")
        return try change(call, .set(sku: sku, quantity: call.input.quantity), in: repositories)
    }

    func removeLine(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<Cart> {
        let sku = try call.parameter("sku")
        return try change(call, .remove(sku: sku), in: repositories)
    }

    func setDiscount(_ call: Call<DiscountRequest>, in repositories: any Repositories) throws -> Reply<Cart> {
        try change(call, .setDiscount(code: call.input.code), in: repositories)
    }

    func removeDiscount(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<Cart> {
        try change(call, .removeDiscount, in: repositories)
    }

    func setShipping(_ call: Call<ShippingRequest>, in repositories: any Repositories) throws -> Reply<Cart> {
        let (methodId, address) = (call.input.methodId, call.input.address.address())
        return try change(call, .setShipping(methodId: methodId, address: address), in: repositories)
    }

    func shippingMethods(
        _ call: Call<ShippingMethodsQuery>, in repositories: any Repositories
    ) throws -> Reply<Page<ShippingMethod>> {
        let query = call.input
        let methods = try carts.shippingMethods(
            for: call.principal, country: query.country, postalCode: query.postalCode, location: query.location,
            in: repositories)
        return Reply(try pages.page(of: methods, list: "shipping-methods", query.page))
    }

    /// Answers with the whole cart, or with its summary if the client prefers the minimal answer.
    private func change(
        _ call: Call<some Sendable>, _ command: CartCommand, in repositories: any Repositories
    ) throws -> Reply<Cart> {
        guard call.prefersMinimal else {
            return Reply(try carts.change(call.principal, command, ifMatch: call.ifMatch, in: repositories))
        }
        return Reply(
            minimal: try carts.changeForSummary(call.principal, command, ifMatch: call.ifMatch, in: repositories))
    }
}

extension Reply<Cart> {
    fileprivate init(_ cart: PricedCart) {
        self.init(cart.cart, etag: String(cart.version))
    }

    fileprivate init(minimal summary: CartSummary) {
        self.init(minimal: summary, etag: String(summary.version))
    }
}
