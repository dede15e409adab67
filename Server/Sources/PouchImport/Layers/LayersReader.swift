import Foundation
import PouchDomain
import PouchEntities
import PouchFeed

/// Reads a folder with `products.json` and, where they are, `seasons.json` and `slides.json`, object by object.
///
/// Seasons and themes that only product rows name are handed over too. The details of reported rows begin with the
/// file's name.
public struct LayersReader: FeedReader {
    private var sources: [LayersSource] = []
    private var current = 0
    private let decoder: LayersRowDecoder
    private var conversion: LayersRecords
    private var pending: ArraySlice<FeedRecord> = []
    private var rows = 0

    /// - Parameters:
    ///   - currency: the shop's; a row in another one is reported.
    ///   - timeZone: the shop's; dates that name no offset from UTC are in it.
    ///   - defaultStock: the units of a variant for which the feed names none.
    /// - Throws: when a file cannot be opened, or there is no `products.json`.
    public init(
        folder: URL, currency: Currency, timeZone: TimeZone = .gmt, defaultStock: Int = 0
    ) throws(FeedError) {
        try self.init(
            folder: folder, currency: currency, timeZone: timeZone, defaultStock: defaultStock,
            chunkSize: FileChunks.defaultSize)
    }

    /// - Parameter chunkSize: the bytes that are read at a time, at least 1.
    public init(
        folder: URL, currency: Currency, timeZone: TimeZone = .gmt, defaultStock: Int, chunkSize: Int
    ) throws(FeedError) {
        decoder = LayersRowDecoder(timeZone: timeZone)
        conversion = LayersRecords(
            currency: currency, defaultStock: defaultStock, images: LayersFolder(folder: folder))
        for file in LayersFile.allCases {
            do {
                sources.append(try LayersSource(file, in: folder, chunkSize: chunkSize))
            } catch .missingFile where !file.isRequired {
                continue
            }
        }
    }

    /// Reads one JSON object with the contents of the three files under `seasons`, `products` and `slides`. There are no
    /// images beside it, so those that it names are reported.
    ///
    /// - Throws: when the file cannot be opened.
    public init(document: URL, currency: Currency, timeZone: TimeZone) throws(FeedError) {
        decoder = LayersRowDecoder(timeZone: timeZone)
        conversion = LayersRecords(currency: currency, images: LayersFolder(folder: nil))
        for file in LayersFile.allCases { sources.append(try LayersSource(file, inDocument: document)) }
    }

    public var progress: FeedProgress {
        FeedProgress(
            bytesRead: sources.reduce(0) { $0 + $1.chunks.bytesRead },
            totalBytes: sources.reduce(0) { $0 + $1.chunks.totalBytes },
            rows: rows)
    }

    public mutating func next() throws(FeedError) -> FeedRecord? {
        while pending.isEmpty, current < sources.count {
            guard let elements = try sources[current].next() else {
                current += 1
                continue
            }
            rows += elements.count
            for element in elements { pending += records(of: element, in: sources[current].file) }
        }
        return pending.popFirst()
    }

    private mutating func records(of element: JSONArrayElements.Element, in file: LayersFile) -> [FeedRecord] {
        do throws(FeedRowError) {
            return conversion.records(of: try decoder.row(element, of: file))
        } catch {
            return [.bad(error)]
        }
    }
}
