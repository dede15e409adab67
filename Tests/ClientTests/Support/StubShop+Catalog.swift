import Foundation
import PouchEntities
import PouchNetwork
import PouchWire

extension StubShop {
    /// Has one variant, while `lily` has colours and sizes.
    static let rosa = product("rosa", [:])
    static let lily = product("lily", ["Colour": ["Navy", "Red"], "Size": ["S", "M"]])
    static let home = Address(
        id: "adr_1", name: "Ada", line1: "1 Main Rd", city: "Perth", postalCode: "6000", country: "AU")
    static let standard = ShippingMethod(
        id: "standard", name: "Standard", price: Fixture.euros(500), estimate: "in 3 days")

    private static func product(_ handle: String, _ options: [String: [String]]) -> Product {
        let names = options.keys.sorted()
        let choices = names.reduce([[:]]) { choices, name in
            choices.flatMap { choice in
                (options[name] ?? []).map { choice.merging([name: $0]) { $1 } }
            }
        }
        return Product(
            id: "prd_" + handle, handle: handle, name: handle, seasonId: "s17", category: "hats", tags: [],
            price: Fixture.euros(1000),
            options: names.map { ProductOption(name: $0, values: options[$0] ?? []) }, images: [],
            updatedAt: Fixture.now,
            variants: choices.enumerated().map {
                Variant(sku: "\(handle)-\($0 + 1)", options: $1, price: Fixture.euros(1000), available: 1)
            })
    }
}

extension StubShop.State {
    func catalog(_ request: NetworkRequest, _ path: [String]) -> NetworkResponse {
        switch (request.method, path.first, path.dropFirst().first) {
        case ("GET", "seasons", _): return list([Season(id: "s17", name: "Spring 2017")])
        case ("GET", "themes", _): return list([Theme(id: "s17a", name: "Meadow", seasonId: "s17")])
        case ("GET", "categories", _): return list([Category(id: "hats", name: "Hats", productCount: 2)])
        case ("GET", "promotions", _):
            return list(
                products.enumerated().map {
                    Promotion(product: $1, image: ProductImage(url: "/a.png", alt: ""), position: $0)
                })
        case ("GET", "products", nil): return .json(page(request))
        case ("GET", "products", let handle?):
            return products.first { $0.handle == handle }.map { .json($0) } ?? .problem(.notFound)
        case ("GET", "assets", let name?): return .text(name, type: "image/png")
        case ("GET", "availability", _):
            return list(
                products.flatMap(\.variants).map { Availability(sku: $0.sku, price: $0.price, available: 7) })
        default: return .problem(.notFound)
        }
    }

    private func page(_ request: NetworkRequest) -> ProductPage {
        let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        let found = products.filter { $0.name.hasPrefix(value("q") ?? "") }
        let start = value("cursor").flatMap(Int.init) ?? 0
        let end = min(start + pageSize, found.count)
        return ProductPage(
            items: Array(found[start..<end]), nextCursor: end < found.count ? "\(end)" : nil,
            facets: value("facets") == nil
                ? nil : [Facet(name: "category", values: [Facet.Value(value: "hats", count: found.count)])])
    }
}
