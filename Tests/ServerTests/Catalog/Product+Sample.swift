import Foundation
import PouchEntities

extension Product {
    /// A product of which a test names only what it is about.
    static func sample(
        _ id: String,
        name: String = "Thing",
        styleCode: String? = nil,
        description: String? = nil,
        season: String? = nil,
        theme: String? = nil,
        category: String = "things",
        tags: [String] = [],
        price: Int64 = 1000,
        materials: [String]? = nil,
        variants: [Variant]? = nil
    ) -> Product {
        let variants = variants ?? [.sample(id + "-1", price: price)]
        let names = Set(variants.flatMap(\.options.keys)).sorted()
        return Product(
            id: id, handle: "handle-" + id, styleCode: styleCode, name: name, description: description,
            seasonId: season, themeId: theme, category: category, tags: tags, price: Money(price, .eur),
            materials: materials,
            options: names.map { name in
                ProductOption(name: name, values: Set(variants.compactMap { $0.options[name] }).sorted())
            },
            images: [], updatedAt: Date(timeIntervalSince1970: 0), variants: variants)
    }
}

extension Variant {
    static func sample(
        _ sku: String, _ options: [String: String] = [:], price: Int64 = 1000, available: Int = 1
    ) -> Variant {
        Variant(sku: sku, options: options, price: Money(price, .eur), available: available)
    }
}
