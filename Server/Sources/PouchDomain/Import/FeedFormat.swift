import Foundation
import PouchEntities

/// The feeds that can be imported; the raw values are those of the command line and of the wire.
public enum FeedFormat: String, Sendable, CaseIterable {
    /// One file, the product CSV of Shopify.
    case shopifyCSV = "shopify-csv"
    /// A folder with `products.json` and, where the shop has them, `seasons.json` and `slides.json`.
    case layersJSON = "layers-json"

    /// - Parameters:
    ///   - currency: the shop's; a price in another one is a reported row.
    ///   - defaultStock: the units of a variant for which a LAYERS feed names none.
    /// - Throws: when the feed cannot be opened.
    public func reader(
        at location: URL, currency: Currency, defaultStock: Int = 0
    ) throws(FeedError) -> any FeedReader {
        switch self {
        case .shopifyCSV: try ShopifyReader(file: location, currency: currency)
        case .layersJSON: try LayersReader(folder: location, currency: currency, defaultStock: defaultStock)
        }
    }
}
