import Foundation
import Observation
import PouchClient

/// A model for a view, on the main actor as everything in this module.
@Observable
final class Shelf {
    private(set) var names: [String] = []
    private(set) var failure: DataError?
    private(set) var unitsInCart = 0
    private let pouch: Pouch

    init(_ pouch: Pouch) {
        self.pouch = pouch
    }

    func search(_ words: String) async {
        do {
            names = try await pouch.catalog.products(ProductQuery(search: words)).items.map(\.name)
            failure = nil
        } catch {
            failure = error
        }
    }

    /// Follows the cart until it has something in it.
    func waitForCart() async {
        for await state in pouch.cart.states() {
            unitsInCart = state?.cart.unitCount ?? 0
            if unitsInCart > 0 { return }
        }
    }
}

@main
struct ShelfProgram {
    static func main() async throws {
        guard CommandLine.arguments.count == 2, let shop = URL(string: CommandLine.arguments[1]) else {
            return print("usage: shelf http://127.0.0.1:8080")
        }
        let pouch = Pouch(server: shop)
        let shelf = Shelf(pouch)
        await shelf.search("cardigan")
        if let failure = shelf.failure { throw failure }
        let query = ProductQuery(inStock: true, search: "cardigan")
        let variants = try await pouch.catalog.products(query).items.flatMap(\.variants)
        guard let variant = variants.first(where: { $0.available > 0 }) else { return }
        async let filled: Void = shelf.waitForCart()
        try await pouch.cart.add(sku: variant.sku)
        await filled
        print("\(shelf.names.count) names, \(shelf.unitsInCart) in the cart")
    }
}
