import Foundation
import PouchClient

@main
struct Buy {
    static func main() async throws {
        guard CommandLine.arguments.count == 2, let shop = URL(string: CommandLine.arguments[1]) else {
            return print("usage: buy http://127.0.0.1:8080")
        }
        let pouch = Pouch(server: shop)
        let found = try await pouch.catalog.products(ProductQuery(inStock: true, search: "cardigan"))
        for product in found.items { print(product.name, product.price.decimal, product.price.currency.code) }
        guard let variant = found.items.first?.variants.first(where: { $0.available > 0 }) else { return }

        try await pouch.cart.add(sku: variant.sku)
        let address = Address(
            name: "Ann Example", line1: "1 High Street", city: "Sydney", postalCode: "2000", country: "AU")
        let cart = try await pouch.cart.setShipping(methodId: "standard", to: address)
        let order = try await pouch.checkout.pay(
            for: cart, with: .card(token: "tok_ok"), email: "ann@example.com")
        print("Order", order.number, "is", order.status.rawValue)
    }
}
