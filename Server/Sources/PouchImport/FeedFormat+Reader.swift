import Foundation
import PouchDomain
import PouchEntities
import PouchFeed

extension FeedFormat {
    /// - Parameters:
    ///   - currency: the shop's; a price in another one is a reported row.
    ///   - timeZone: the shop's; dates of a LAYERS feed that name no offset from UTC are in it.
    ///   - defaultStock: the units of a variant for which a LAYERS feed names none.
    /// - Throws: when the feed cannot be opened.
    public func reader(
        at location: URL, currency: Currency, timeZone: TimeZone = .gmt, defaultStock: Int = 0
    ) throws(FeedError) -> any FeedReader {
        switch self {
        case .shopifyCSV: try ShopifyReader(file: location, currency: currency)
        case .layersJSON:
            try LayersReader(folder: location, currency: currency, timeZone: timeZone, defaultStock: defaultStock)
        }
    }

    /// The reader of a feed that was received as one file.
    ///
    /// - Throws: when the file cannot be opened.
    func reader(ofReceived file: URL, for shop: ShopSettings) throws(FeedError) -> any FeedReader {
        switch self {
        case .shopifyCSV: try ShopifyReader(file: file, currency: shop.currency)
        case .layersJSON: try LayersReader(document: file, currency: shop.currency, timeZone: shop.timeZone)
        }
    }
}
