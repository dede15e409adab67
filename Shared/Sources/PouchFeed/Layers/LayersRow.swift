/// The files of a LAYERS feed, in the order in which they are read: seasons before the products that refer to them.
public enum LayersFile: String, Sendable, CaseIterable {
    case seasons = "seasons.json"
    case products = "products.json"
    case slides = "slides.json"

    /// The keys that lead to the array of rows.
    public var path: [String] {
        switch self {
        case .seasons: ["seasons"]
        case .products: ["products"]
        case .slides: []
        }
    }

    /// The same in one document of all three files, which has under each name the rows or the whole file.
    public var pathsInDocument: [[String]] {
        let name = String(rawValue.prefix { $0 != "." })
        return [[name], [name] + path]
    }

    public var isRequired: Bool { self == .products }
}

/// A decoded row of a LAYERS feed, with the line on which it starts.
public struct LayersRow: Sendable {
    enum Content: Sendable {
        case season(LayersSeasonRow)
        case product(LayersProductRow)
        case slide(LayersSlideRow)
    }

    let line: Int
    let content: Content

    var file: LayersFile {
        switch content {
        case .season: .seasons
        case .product: .products
        case .slide: .slides
        }
    }
}

/// An element of `seasons` in `seasons.json`.
struct LayersSeasonRow: Decodable, Sendable {
    struct ThemeRow: Decodable, Sendable {
        let id: String
        let name: String
    }

    let id: String
    let name: String
    let startsAt: LayersDate?
    let endsAt: LayersDate?
    let themes: [ThemeRow]?
}

/// An element of `products` in `products.json`. The keys `compareAt`, `sizes`, `stock`, `tags` and `weightGrams` are
/// Pouch's additions to the format.
struct LayersProductRow: Decodable, Sendable {
    struct Price: Decodable, Sendable {
        let currencyCode: String?
        let retail: DecimalText
        let compareAt: DecimalText?
    }

    let name: String
    let style: String
    let category: String
    let season: String?
    let theme: String?
    let desc: String?
    let price: Price
    let care: String?
    let materials: [String]?
    let colors: [Int]?
    let sizes: [String]?
    /// Units by colour code and size, such as `18-m`; by size alone if the product has no colours.
    let stock: [String: Int]?
    let tags: [String]?
    let weightGrams: Int?
    let promoImage: String?
    let gridImage: String?
    let images: [String]?
}

/// An element of `slides.json`: a product object. The other keys are ignored, since `products.json` has them too.
struct LayersSlideRow: Decodable, Sendable {
    let style: String
    let name: String?
    let promoImage: String?
    let gridImage: String?
    let images: [String]?
}
