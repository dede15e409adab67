import Foundation
import PouchEntities

/// Reads a folder with `products.json` and optional `seasons.json` and `slides.json`, object by object.
///
/// Also returns seasons and themes that only product rows name. Details of reported rows begin with the file's name.
struct LayersReader: FeedReader {
    private var sources: [LayersSource] = []
    private var current = 0
    private var conversion: LayersRecords
    private var pending: ArraySlice<FeedRecord> = []
    private var rows = 0

    /// - Parameters:
    ///   - currency: the shop's currency; a row in another one is reported.
    ///   - timeZone: the shop's time zone, for dates without an offset from UTC.
    ///   - defaultStock: the stock of variants for which the feed has no quantity.
    ///   - chunkSize: the bytes read at a time, at least 1.
    /// - Throws: when a file cannot be opened, or there is no `products.json`.
    init(
        folder: URL, currency: Currency, timeZone: TimeZone = .gmt, defaultStock: Int = 0,
        chunkSize: Int = FileChunks.defaultSize
    ) throws(FeedError) {
        conversion = LayersRecords(
            currency: currency, timeZone: timeZone, defaultStock: defaultStock, images: LayersFolder(folder: folder))
        for file in LayersFile.allCases {
            do {
                sources.append(try LayersSource(file, in: folder, chunkSize: chunkSize))
            } catch .missingFile where !file.isRequired {
                continue
            }
        }
    }

    /// Reads one JSON object with the contents of the three files under `seasons`, `products` and `slides`. It has no
    /// images, so those that it names are reported.
    ///
    /// - Throws: when the file cannot be opened.
    init(document: URL, currency: Currency, timeZone: TimeZone) throws(FeedError) {
        conversion = LayersRecords(currency: currency, timeZone: timeZone, images: LayersFolder(folder: nil))
        for file in LayersFile.allCases { sources.append(try LayersSource(file, inDocument: document)) }
    }

    var progress: FeedProgress {
        FeedProgress(
            bytesRead: sources.reduce(0) { $0 + $1.chunks.bytesRead },
            totalBytes: sources.reduce(0) { $0 + $1.chunks.totalBytes },
            rows: rows)
    }

    mutating func next() throws(FeedError) -> FeedRecord? {
        while pending.isEmpty, current < sources.count {
            guard let elements = try sources[current].next() else {
                current += 1
                continue
            }
            rows += elements.count
            for element in elements { pending += conversion.records(of: element, in: sources[current].file) }
        }
        return pending.popFirst()
    }
}

/// One file of a LAYERS feed while it is read.
struct LayersSource {
    let file: LayersFile
    private(set) var chunks: FileChunks
    private var elements: JSONArrayElements

    private let mayBeMissing: Bool

    init(_ file: LayersFile, in folder: URL, chunkSize: Int) throws(FeedError) {
        self.file = file
        chunks = try FileChunks(file: folder.appending(path: file.rawValue), size: chunkSize)
        elements = JSONArrayElements(paths: [file.path])
        mayBeMissing = false
    }

    init(_ file: LayersFile, inDocument document: URL) throws(FeedError) {
        self.file = file
        chunks = try FileChunks(file: document)
        elements = JSONArrayElements(paths: file.pathsInDocument)
        mayBeMissing = !file.isRequired
    }

    /// The rows that end within the next chunk, or nil at the end of the file.
    mutating func next() throws(FeedError) -> [JSONArrayElements.Element]? {
        let bytes = try chunks.next()
        do throws(JSONArrayElements.Failure) {
            if let bytes { return try elements.consume(bytes) }
            if !(mayBeMissing && elements.isMissing) { try elements.finish() }
            return nil
        } catch {
            throw .malformed(file: chunks.name, line: error.line, detail: error.detail)
        }
    }
}

/// Finds the images that a LAYERS feed names, only within its folder.
struct LayersFolder: LayersImages {
    private let folder: URL?

    /// - Parameter folder: the feed's folder; nil for a feed without files.
    init(folder: URL?) {
        self.folder = folder?.resolvingSymlinksInPath()
    }

    /// Looks in the room's folder, in the other room's folder, in `images`, and in the feed's folder itself.
    func find(_ name: String, in room: LayersImageFolder, line: Int, field: String) throws(FeedRowError) -> FeedAsset {
        guard let folder else { throw missing(name, line, field) }
        let other: LayersImageFolder = room == .products ? .slides : .products
        for place in [room.rawValue, other.rawValue, "images", "."] {
            let file = folder.appending(path: place).appending(path: name).resolvingSymlinksInPath()
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
                attributes[.type] as? FileAttributeType == .typeRegular
            else { continue }
            guard file.path.hasPrefix(folder.path + "/") else {
                throw .outsideFeed(name, line: line, field: field)
            }
            let byteCount = (attributes[.size] as? NSNumber)?.intValue ?? 0
            guard byteCount <= FeedAsset.maximumBytes else {
                throw FeedRowError(line: line, field: field, code: .tooLong, detail: "“\(name)” is larger than 16 MiB")
            }
            return FeedAsset(path: "\(room.rawValue)/\(name)", file: file, byteCount: byteCount)
        }
        throw missing(name, line, field)
    }

    private func missing(_ name: String, _ line: Int, _ field: String) -> FeedRowError {
        FeedRowError(
            line: line, field: field, code: .imageMissing, detail: "the feed's folder has no file “\(name)”")
    }
}
