import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

extension ShopRouter {
    /// The cart of a guest or customer.
    static func addCart(to routes: RouteRegistrar, _ carts: CartService, _ guesses: DiscountGuesses) {
        routes(Contract.cart).read { Reply(try carts.cart($0.principal, in: $1)) }
        routes(Contract.clearCart).write(isolation: .readCommitted, carts.changing { _ in .clear })
        routes(Contract.addCartLine).write(
            isolation: .readCommitted,
            // The answer to a repeated request: the current cart. Storing the answers would let a guest fill the disk.
            repeating: { call, repositories in
                let cart = try carts.cart(call.principal, in: repositories)
                return call.prefersMinimal ? Reply(minimal: cart.summary(changed: call.input.sku)) : Reply(cart)
            }, carts.changing { .add(sku: $0.input.sku, quantity: $0.input.quantity) })
        routes(Contract.setCartLine).write(
            isolation: .readCommitted,
            carts.changing { .set(sku: try $0.parameter("sku"), quantity: $0.input.quantity) })
        routes(Contract.removeCartLine).write(
            isolation: .readCommitted, carts.changing { .remove(sku: try $0.parameter("sku")) })
        routes(Contract.setCartDiscount).write(
            isolation: .readCommitted, guesses.limited(carts.changing { .setDiscount(code: $0.input.code) }))
        routes(Contract.removeCartDiscount).write(isolation: .readCommitted, carts.changing { _ in .removeDiscount })
        routes(Contract.setCartShipping).write(
            isolation: .readCommitted,
            carts.changing { .setShipping(methodId: $0.input.methodId, address: $0.input.address.address()) })
        routes(Contract.shippingMethods).read { [pages = routes.pages] call, repositories in
            let query = call.input
            let methods = try carts.shippingMethods(
                for: call.principal, country: query.country, postalCode: query.postalCode, location: query.location,
                in: repositories)
            return try pages.page(of: methods, list: "shipping-methods", query.page)
        }
    }
}

extension CartService {
    /// A handler that changes the cart. Its answer is the whole cart, or its summary if the client prefers the minimal
    /// answer.
    fileprivate func changing<Input>(
        _ command: @escaping @Sendable (Call<Input>) throws -> CartCommand
    ) -> RouteSteps.Handler<Input, Reply<Cart>> {
        { call, repositories in
            let command = try command(call)
            guard call.prefersMinimal else {
                return Reply(try change(call.principal, command, ifMatch: call.ifMatch, in: repositories))
            }
            return Reply(
                minimal: try changeForSummary(call.principal, command, ifMatch: call.ifMatch, in: repositories))
        }
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
