import Foundation
import PouchDomain
import PouchFeed

/// One file of a LAYERS feed while it is being read.
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
