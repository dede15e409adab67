import Dispatch
import Foundation
import PouchDomain

/// A feed that is read in batches on request, on its own thread, so that the disk does not block the cooperative pool.
public actor FeedStream {
    private var reader: any FeedReader
    private let thread: any SerialExecutor

    /// - Parameter thread: runs the reading; nil for a new thread.
    public init(_ reader: any FeedReader, on thread: (any SerialExecutor)? = nil) {
        self.reader = reader
        self.thread = thread ?? FeedThread()
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    public var progress: FeedProgress { reader.progress }

    /// The next records; fewer than `count` only at the end, and none after it.
    public func next(_ count: Int) throws(FeedError) -> [FeedRecord] {
        var records: [FeedRecord] = []
        while records.count < count, let record = try reader.next() {
            records.append(record)
        }
        return records
    }

    /// Reads a file of the feed.
    func load(_ asset: FeedAsset, digests: any Digests) throws -> StoredAsset {
        try StoredAsset(asset, digests: digests)
    }
}

extension StoredAsset {
    fileprivate init(_ asset: FeedAsset, digests: any Digests) throws {
        let bytes = try Data(contentsOf: asset.file)
        self.init(
            path: asset.path, mediaType: Self.mediaType(of: asset.path), digest: digests.sha256(bytes), bytes: bytes)
    }

    private static func mediaType(of path: String) -> String {
        switch path.split(separator: ".").last?.lowercased() {
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        case "gif": "image/gif"
        case "webp": "image/webp"
        case "avif": "image/avif"
        default: "application/octet-stream"
        }
    }
}

/// Runs jobs one after another on a dispatch queue, outside the cooperative pool.
final class FeedThread: SerialExecutor {
    private let queue = DispatchQueue(label: "pouch.feed")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// Reads a file in chunks from the start, without the byte order mark of UTF-8.
struct FileChunks: Sendable {
    static let defaultSize = 64 << 10
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    let name: String
    /// The size of the file when it was opened, or the bytes read if it has grown since.
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
        } catch CocoaError.fileReadNoPermission {
            throw .unreadable(file: name, reason: "permission is denied")
        } catch {
            throw .unreadable(file: name, reason: Self.reason(error))
        }
    }

    /// The reason without the full stop, which the text of a `FeedError` already has.
    private static func reason(_ error: any Error) -> String {
        error.localizedDescription.trimmingCharacters(in: ["."])
    }

    /// Starts again.
    mutating func rewind() throws(FeedError) {
        bytesRead = 0
        do { try handle.seek(toOffset: 0) } catch { throw .unreadable(file: name, reason: Self.reason(error)) }
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
            throw .unreadable(file: name, reason: Self.reason(error))
        }
    }
}
