import Foundation
import PouchClient

@main
struct Buy {
    static func main() async {
        guard CommandLine.arguments.count == 2, let shop = URL(string: CommandLine.arguments[1]) else {
            return print("usage: buy http://127.0.0.1:8080")
        }
        do {
            try await buy(from: Pouch(server: shop))
        } catch {
            print("error:", error.localizedDescription)
            exit(1)
        }
    }

    static func buy(from shop: Pouch) async throws(DataError) {
        let found = try await shop.catalog.products(ProductQuery(inStock: true, search: "cardigan"))
        for product in found.items { print(product.name, product.price.decimal, product.price.currency.code) }
        guard let variant = found.items.first?.variants.first(where: { $0.available > 0 }) else { return }

        try await shop.cart.add(sku: variant.sku)
        let address = Address(
            name: "Ann Example", line1: "1 High Street", city: "Sydney", postalCode: "2000", country: "AU")
        let cart = try await shop.cart.setShipping(methodId: "standard", to: address)
        let order = try await shop.checkout.pay(
            for: cart, with: .card(token: "tok_ok"), email: "ann@example.com")
        print("Order", order.number, "is", order.status.rawValue)
    }
}
