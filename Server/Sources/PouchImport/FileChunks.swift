import Foundation
import PouchDomain
import PouchFeed

/// A file that is read in pieces, from its beginning; a byte order mark is left out.
struct FileChunks: Sendable {
    static let defaultSize = 64 << 10
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    let name: String
    /// The bytes of the file, as long as it was when it was opened; those that were read where it has grown since.
    var totalBytes: Int { max(openedBytes, bytesRead) }
    private let openedBytes: Int
    private(set) var bytesRead = 0
    private let size: Int
    private let handle: FileHandle

    init(file: URL, size: Int = Self.defaultSize) throws(FeedError) {
        name = file.lastPathComponent
        self.size = size
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)
            guard attributes[.type] as? FileAttributeType != .typeDirectory else {
                throw CocoaError(.fileReadUnknown, userInfo: [NSLocalizedDescriptionKey: "it is a folder"])
            }
            openedBytes = (attributes[.size] as? NSNumber)?.intValue ?? 0
            handle = try FileHandle(forReadingFrom: file)
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            throw .missingFile(name)
        } catch {
            throw .unreadable(file: name, reason: error.localizedDescription)
        }
    }

    /// The next bytes, or nil at the end.
    mutating func next() throws(FeedError) -> [UInt8]? {
        do {
            let first = bytesRead == 0
            let wanted = first ? max(size, Self.byteOrderMark.count) : size
            guard let data = try handle.read(upToCount: wanted), !data.isEmpty else { return nil }
            bytesRead += data.count
            return first && data.starts(with: Self.byteOrderMark)
                ? Array(data.dropFirst(Self.byteOrderMark.count)) : Array(data)
        } catch {
            throw .unreadable(file: name, reason: error.localizedDescription)
        }
    }
}
