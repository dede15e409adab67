import Foundation
import PouchEntities

// Samples of the catalogue, and a shop with some of them.

extension Product {
    /// A product with one variant. The price is in minor units of the euro.
    public static func sample(
        sku: String = "hat-1", name: String = "Hat", category: String = "hats", price: Int64 = 10_00, stock: Int = 9,
        styleCode: String? = nil
    ) -> Product {
        .sample(handle: sku, name: name, category: category, price: price, styleCode: styleCode) {
            [Variant(sku: sku, options: [:], price: Money(price, .eur), available: stock)]
        }
    }

    /// A product with a variant for each size; the SKUs are `sku-s` and so on. The price is in minor units of the euro.
    public static func sample(
        sku: String, sizes: [String], name: String = "Hat", category: String = "hats", price: Int64 = 10_00,
        stock: Int = 9
    ) -> Product {
        .sample(
            handle: sku, name: name, category: category, price: price,
            options: [ProductOption(name: "Size", values: sizes)]
        ) {
            sizes.map { size in
                Variant(
                    sku: "\(sku)-\(size.lowercased())", options: ["Size": size], price: Money(price, .eur),
                    available: stock)
            }
        }
    }

    /// A product with a variant for each choice of its options; the SKUs are `handle-1` and so on. The price is in
    /// minor units of the euro.
    ///
    ///     Product.sample(handle: "lily", options: ["Colour": ["Navy", "Red"], "Size": ["S", "M"]])
    public static func sample(
        handle: String, options: KeyValuePairs<String, [String]> = [:], name: String = "Hat", category: String = "hats",
        price: Int64 = 10_00, stock: Int = 9, seasonId: String? = nil
    ) -> Product {
        let options = options.map { ProductOption(name: $0.key, values: $0.value) }
        let choices: [[String: String]] = options.reduce([[:]]) { choices, option in
            choices.flatMap { choice in option.values.map { choice.merging([option.name: $0]) { $1 } } }
        }
        return .sample(
            handle: handle, name: name, category: category, price: price, seasonId: seasonId, options: options
        ) {
            choices.enumerated().map {
                Variant(sku: "\(handle)-\($0 + 1)", options: $1, price: Money(price, .eur), available: stock)
            }
        }
    }

    private static func sample(
        handle: String, name: String, category: String, price: Int64, styleCode: String? = nil,
        seasonId: String? = nil, options: [ProductOption] = [], variants: () -> [Variant]
    ) -> Product {
        Product(
            id: "prd_" + handle, handle: handle, styleCode: styleCode, name: name, seasonId: seasonId,
            category: category, tags: [], price: Money(price, .eur), options: options,
            images: [ProductImage(url: "/assets/\(handle).svg", alt: name)], updatedAt: .sample, variants: variants())
    }
}

extension Season {
    public static func sample(id: String = "s1", name: String = "Spring") -> Season { Season(id: id, name: name) }
}

extension Theme {
    public static func sample(id: String = "s1a", name: String = "Meadow", seasonId: String = "s1") -> Theme {
        Theme(id: id, name: name, seasonId: seasonId)
    }
}

extension Promotion {
    public static func sample(of product: Product = .sample(), position: Int = 0) -> Promotion {
        Promotion(
            product: product, image: ProductImage(url: "/assets/\(product.handle).svg", alt: product.name),
            position: position)
    }
}

// MARK: - A shop

extension TestShop {
    /// A product with one variant, `rosa-1`.
    public static let rosa = Product.sample(handle: "rosa", name: "Rosa", seasonId: Season.sample().id)
    /// A product in two colours and two sizes, from `lily-1` to `lily-4`.
    public static let lily = Product.sample(
        handle: "lily", options: ["Colour": ["Navy", "Red"], "Size": ["S", "M"]], name: "Lily",
        seasonId: Season.sample().id)

    /// A shop with the two products, a season with a theme, and a promotion of each product, for example for previews.
    ///
    /// - Parameter sellsAnySKU: whether the cart also accepts other SKUs, each unit for 1,000 minor units of the
    ///   currency.
    public static func sample(sellsAnySKU: Bool = false) -> TestShop {
        let shop = TestShop(products: [rosa, lily], sellsAnySKU: sellsAnySKU)
        shop.change { world in
            world.seasons = [.sample()]
            world.themes = [.sample()]
            world.promotions = [.sample(of: rosa), .sample(of: lily, position: 1)]
        }
        return shop
    }
}
