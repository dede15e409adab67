import Foundation
import PouchDomain
import PouchEntities
// The records of a feed are part of this module's interface.
@_exported import PouchFeed

/// Reads a feed record by record, in bounded memory.
public protocol FeedReader: Sendable {
    /// The reading progress, at most one chunk of the file ahead of the records.
    var progress: FeedProgress { get }

    /// The next record, or nil at the end.
    ///
    /// Blocks on the disk; `FeedStream` calls it on its own thread.
    /// - Throws: when the feed as a whole cannot be read; a single bad row is a record of its own.
    mutating func next() throws(FeedError) -> FeedRecord?
}

/// The part of a feed that has been read.
public struct FeedProgress: Sendable, Equatable {
    public let bytesRead: Int
    /// The size of the feed's files, without images.
    public let totalBytes: Int
    /// The number of rows of a CSV file without its header, or of elements of JSON arrays, both good and bad.
    public let rows: Int

    public init(bytesRead: Int, totalBytes: Int, rows: Int) {
        self.bytesRead = bytesRead
        self.totalBytes = totalBytes
        self.rows = rows
    }
}

extension FeedFormat {
    /// - Parameters:
    ///   - currency: the shop's currency; a price in another one is reported.
    ///   - timeZone: the shop's time zone, for dates of a LAYERS feed without an offset from UTC.
    ///   - defaultStock: the stock of variants for which a LAYERS feed has no quantity.
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
}
