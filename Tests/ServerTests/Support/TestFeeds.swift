import ServerTesting

extension FeedProduct {
    /// A product of one variant, with defaults for everything that a test does not name.
    static func stocked(
        _ handle: String, sku: String? = nil, name: String? = nil, price: Int64 = 1000, stock: Int? = 10, line: Int = 1,
        category: String = "Things", season: String? = nil, tags: [String]? = nil
    ) -> FeedProduct {
        FeedProduct(
            line: line, handle: handle, name: name ?? handle.capitalized, seasonId: season, categoryName: category,
            tags: tags, variants: [.stocked(sku ?? handle, price: price, stock: stock)])
    }

    /// A product with a variant for each size. The SKU joins handle and size.
    static func sized(_ handle: String, price: Int64 = 2500, stock: [(size: String, units: Int)]) -> FeedProduct {
        FeedProduct(
            line: 1, handle: handle, name: handle.capitalized, categoryName: "Scarves", tags: ["wool"],
            options: [ProductOption(name: "Size", values: stock.map(\.size))],
            variants: stock.map { size, units in
                .stocked("\(handle)-\(size.lowercased())", price: price, stock: units, options: ["Size": size])
            })
    }
}

extension FeedVariant {
    static func stocked(
        _ sku: String, price: Int64 = 1000, stock: Int? = 10, options: [String: String] = [:]
    ) -> FeedVariant { FeedVariant(sku: sku, options: options, price: Money(price, .eur), stock: stock) }
}

extension [FeedProduct] {
    /// The default stock of a test shop.
    static var usual: [FeedProduct] {
        [
            .stocked("cap", price: 1000, stock: 10, category: "Hats"),
            .sized("scarf", price: 2500, stock: [("S", 5), ("M", 2)]),
            .stocked("gloves", price: 1500, stock: 0),
        ]
    }
}
