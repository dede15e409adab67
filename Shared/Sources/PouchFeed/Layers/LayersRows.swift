import PouchJSON

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

    /// The same paths in one document with all three files, which has either the rows or the whole file under each
    /// name.
    public var pathsInDocument: [[String]] {
        let name = String(rawValue.prefix { $0 != "." })
        return [[name], [name] + path]
    }

    public var isRequired: Bool { self == .products }
}

/// An element of `seasons` in `seasons.json`.
struct LayersSeasonRow: JSONModel {
    struct ThemeRow: JSONModel {
        let id: String
        let name: String

        static let json = JSONObject(LayersSeasonRow.ThemeRow.init, .field("id", \.id), .field("name", \.name))
    }

    let id: String
    let name: String
    let startsAt: LayersDate?
    let endsAt: LayersDate?
    let themes: [ThemeRow]?

    static let json = JSONObject(
        LayersSeasonRow.init, .field("id", \.id), .field("name", \.name), .field("startsAt", \.startsAt),
        .field("endsAt", \.endsAt), .field("themes", \.themes))
}

/// An element of `products` in `products.json`. The keys `compareAt`, `sizes`, `stock`, `tags` and `weightGrams` are
/// Pouch's additions to the format.
struct LayersProductRow: JSONModel {
    struct Price: JSONModel {
        let currencyCode: String?
        let retail: DecimalText
        let compareAt: DecimalText?

        static let json = JSONObject(
            LayersProductRow.Price.init, .field("currencyCode", \.currencyCode), .field("retail", \.retail),
            .field("compareAt", \.compareAt))
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
    /// The units by colour code and size, such as `18-m`; by size alone if the product has no colours.
    let stock: [String: Int]?
    let tags: [String]?
    let weightGrams: Int?
    let promoImage: String?
    let gridImage: String?
    let images: [String]?

    static let json = JSONObject(
        LayersProductRow.init, .field("name", \.name), .field("style", \.style), .field("category", \.category),
        .field("season", \.season), .field("theme", \.theme), .field("desc", \.desc), .field("price", \.price),
        .field("care", \.care), .field("materials", \.materials), .field("colors", \.colors),
        .field("sizes", \.sizes), .field("stock", \.stock), .field("tags", \.tags),
        .field("weightGrams", \.weightGrams), .field("promoImage", \.promoImage),
        .field("gridImage", \.gridImage), .field("images", \.images))
}

/// An element of `slides.json`: a product object. Its other keys are ignored, since they are also in `products.json`.
struct LayersSlideRow: JSONModel {
    let style: String
    let name: String?
    let promoImage: String?
    let gridImage: String?
    let images: [String]?

    static let json = JSONObject(
        LayersSlideRow.init, .field("style", \.style), .field("name", \.name), .field("promoImage", \.promoImage),
        .field("gridImage", \.gridImage), .field("images", \.images))
}
