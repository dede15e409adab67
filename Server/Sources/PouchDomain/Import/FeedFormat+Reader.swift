import Foundation
import PouchEntities

extension FeedFormat {
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

    /// The reader of a feed that was received as one file.
    ///
    /// - Throws: when the file cannot be opened.
    func reader(ofReceived file: URL, currency: Currency) throws(FeedError) -> any FeedReader {
        switch self {
        case .shopifyCSV: try ShopifyReader(file: file, currency: currency)
        case .layersJSON: try LayersReader(document: file, currency: currency)
        }
    }
}
