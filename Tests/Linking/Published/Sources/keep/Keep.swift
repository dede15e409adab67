import Foundation
import PouchClient
import PouchPersistence

/// Keeps a shop's catalogue in a file, and lists it from there when the shop does not answer.
@main
struct Keep {
    static func main() async throws {
        guard CommandLine.arguments.count == 3, let shop = URL(string: CommandLine.arguments[1]) else {
            return print("usage: keep http://127.0.0.1:8080 FILE")
        }
        let store = try await SQLiteStore.open(at: URL(filePath: CommandLine.arguments[2]))
        let pouch = Pouch(server: shop, store: store, network: NetworkOptions(retries: RetryPolicy(attempts: 1)))
        try? await pouch.catalog.refresh()
        let found = try await pouch.catalog.products(ProductQuery(search: "cardigan", sort: .name))
        for product in found.items { print(product.name) }
        print(found.failure == nil ? "from the shop" : "from the file")
        try await store.close()
    }
}
