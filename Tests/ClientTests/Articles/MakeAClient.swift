import Foundation
import PouchClient

func makeClient(
    server: URL, storage: DeviceStorage, transport: any Transport = StandardTransport()
) -> Pouch {
    Pouch(
        server: server, transport: transport, sessionStore: storage.sessionStore, cache: storage.cache)
}

func namesAndPrices(of words: String, in pouch: Pouch) async throws(DataError) -> [String] {
    let found = try await pouch.catalog.products(
        ProductQuery(inStock: true, search: words, sort: .priceAscending))
    return found.items.map { "\($0.name) \($0.price.text)" }
}

func placeOrder(
    for sku: String, to address: Address, email: String, in pouch: Pouch
) async throws(DataError) -> Order {
    try await pouch.cart.add(sku: sku)
    let methods = try await pouch.checkout.shippingMethods(country: address.country)
    guard let method = methods.first else { throw DataError(.unknownShippingMethod) }
    let cart = try await pouch.cart.setShipping(methodId: method.id, to: address)
    return try await pouch.checkout.pay(for: cart, with: .card(token: "tok_ok"), email: email)
}

func standingOrder(
    of draft: OrderDraft, on day: String, email: String, in pouch: Pouch
) async throws(DataError) -> Order {
    let total = try await pouch.checkout.preview(draft).totals.total
    return try await pouch.checkout.buy(
        draft, for: total, with: .card(token: "tok_ok"), email: email, key: "standing-order-" + day)
}

func explanation(of error: DataError) -> String {
    switch error.reason {
    case .outOfStock(let lines):
        lines.map { "There are \($0.available) of \($0.sku)." }.joined(separator: " ")
    default:
        [error.errorDescription, error.recoverySuggestion].compactMap(\.self).joined(separator: " ")
    }
}
