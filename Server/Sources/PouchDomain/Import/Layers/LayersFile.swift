import Foundation

/// The files of a LAYERS feed, in the order in which they are read: what others refer to comes first.
enum LayersFile: String, CaseIterable {
    case seasons = "seasons.json"
    case products = "products.json"
    case slides = "slides.json"

    /// The keys that lead to the array of rows.
    var path: [String] {
        switch self {
        case .seasons: ["seasons"]
        case .products: ["products"]
        case .slides: []
        }
    }

    /// The same in one document of all three: the rows themselves, or the file as it is.
    var pathsInDocument: [[String]] {
        let name = String(rawValue.prefix { $0 != "." })
        return [[name], [name] + path]
    }

    var isRequired: Bool { self == .products }
}

/// One of the files while it is being read.
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

    /// The rows that end within the next chunk, or nil at the file's end.
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
