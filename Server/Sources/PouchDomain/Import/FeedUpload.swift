import Foundation
import PouchEntities

/// A feed that comes in piece by piece and is kept in a temporary file, which only this user may read.
public actor FeedUpload {
    /// How the names of the folders begin, in the system's temporary folder.
    public static let folderPrefix = "pouch-feed-"

    private let format: FeedFormat
    private let folder: URL
    private let file: URL
    private var handle: FileHandle?
    private let thread = FeedThread()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    public init(_ format: FeedFormat) {
        self.format = format
        folder = FileManager.default.temporaryDirectory.appending(path: Self.folderPrefix + "\(UUID().uuidString)")
        // Reports name the file.
        file = folder.appending(path: format == .shopifyCSV ? "feed.csv" : "feed.json")
    }

    /// - Throws: when the disk is full, or there is no temporary folder.
    public func append(_ bytes: Data) throws {
        let handle = try handle ?? open()
        try handle.write(contentsOf: bytes)
    }

    private func open() throws -> FileHandle {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data().write(to: file)
        let opened = try FileHandle(forWritingTo: file)
        handle = opened
        return opened
    }

    /// Reads what came in.
    ///
    /// - Throws: `FeedError` when the feed cannot be opened.
    public func reader(for shop: ShopSettings) throws -> any FeedReader {
        try append(Data())
        return try format.reader(ofReceived: file, for: shop)
    }

    /// Removes the file.
    public func remove() {
        try? handle?.close()
        try? FileManager.default.removeItem(at: folder)
    }
}
