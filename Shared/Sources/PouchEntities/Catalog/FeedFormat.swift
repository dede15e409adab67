/// The feeds that can be imported; the raw values are those of the command line and of the wire.
public enum FeedFormat: String, Sendable, CaseIterable {
    /// One file, the product CSV of Shopify.
    case shopifyCSV = "shopify-csv"
    /// `products.json` and, where the shop has them, `seasons.json` and `slides.json`: a folder, or one JSON object with
    /// their contents under `products`, `seasons` and `slides`.
    case layersJSON = "layers-json"
}
