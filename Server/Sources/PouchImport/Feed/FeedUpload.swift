import Foundation
import PouchDomain
import PouchEntities

/// A feed that is received in pieces and stored in a temporary file. The file has no name, so it disappears when the
/// process ends in any way.
public actor FeedUpload {
    private let format: FeedFormat
    private let fileName: String
    private let shop: ShopSettings
    private let digests: any Digests
    private var digest = Data()
    private var block = Data()
    private var opened: (handle: FileHandle, reader: any FeedReader)?
    private let thread = FeedThread()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// The number of bytes hashed at once.
    private static let blockSize = 1 << 20

    /// - Parameter name: the file's name at the sender, for errors; nil if unknown.
    public init(_ format: FeedFormat, name: String? = nil, for shop: ShopSettings, digests: any Digests) {
        self.format = format
        let letters = (name ?? "").filter { $0.isLetter || $0.isNumber || " ._-()".contains($0) }.prefix(60)
        let isName = letters.contains { $0 != "." }
        fileName = isName ? String(letters) : format == .shopifyCSV ? "feed.csv" : "feed.json"
        self.shop = shop
        self.digests = digests
    }

    /// - Throws: when the disk is full, or there is no temporary folder.
    public func append(_ bytes: Data) throws {
        try open().handle.write(contentsOf: bytes)
        block += bytes
        while block.count >= Self.blockSize {
            digest = digests.sha256(digest + block.prefix(Self.blockSize))
            block = Data(block.dropFirst(Self.blockSize))
        }
    }

    /// A hash of the received bytes, independent of how they were split.
    public var fingerprint: Data { digests.sha256(digest + block) }

    /// A reader of the received feed; throws when there is no temporary folder.
    public func reader() throws -> any FeedReader {
        try open().reader
    }

    private func open() throws -> (handle: FileHandle, reader: any FeedReader) {
        if let opened { return opened }
        let folder = FileManager.default.temporaryDirectory.appending(path: "pouch-feed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        // Reports show the file's name.
        let file = folder.appending(path: fileName)
        try Data().write(to: file)
        // Both keep the file open after it is deleted.
        let reader: any FeedReader =
            switch format {
            case .shopifyCSV: try ShopifyReader(file: file, currency: shop.currency)
            case .layersJSON: try LayersReader(document: file, currency: shop.currency, timeZone: shop.timeZone)
            }
        let opened = (handle: try FileHandle(forWritingTo: file), reader: reader)
        self.opened = opened
        return opened
    }
}
