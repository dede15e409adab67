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

/// An element of `products` in `products.json`. `compareAt`, `sizes`, `stock`, `tags` and `weightGrams` are this
/// project's additions to the format.
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
    /// Units by colour code and size, as in `18-m`; by what there is where a product has no colours.
    let stock: [String: Int]?
    let tags: [String]?
    let weightGrams: Int?
    let promoImage: String?
    let gridImage: String?
    let images: [String]?
}

/// An element of `slides.json`: a product object, of which only this is read, since `products.json` says the rest.
struct LayersSlideRow: Decodable, Sendable {
    let style: String
    let name: String?
    let promoImage: String?
    let gridImage: String?
    let images: [String]?
}
