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

    var isRequired: Bool { self == .products }
}

/// One of the files while it is being read.
struct LayersSource {
    let file: LayersFile
    private(set) var chunks: FileChunks
    private var elements: JSONArrayElements

    init(_ file: LayersFile, in folder: URL, chunkSize: Int) throws(FeedError) {
        self.file = file
        chunks = try FileChunks(file: folder.appending(path: file.rawValue), size: chunkSize)
        elements = JSONArrayElements(path: file.path)
    }

    /// The rows that end within the next chunk, or nil at the file's end.
    mutating func next() throws(FeedError) -> [JSONArrayElements.Element]? {
        let bytes = try chunks.next()
        do throws(JSONArrayElements.Failure) {
            if let bytes { return try elements.consume(bytes) }
            try elements.finish()
            return nil
        } catch {
            throw .malformed(file: chunks.name, line: error.line, detail: error.detail)
        }
    }
}
