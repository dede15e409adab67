import Foundation

/// A file that stands beside a feed and is stored with the catalogue.
public struct FeedAsset: Codable, Sendable, Equatable {
    /// The most bytes that a file may have.
    public static let maximumBytes = 16 << 20

    /// The path below `/assets/`, not percent-encoded.
    public let path: String
    /// A regular file inside the feed's folder, with symbolic links resolved.
    public let file: URL
    /// At most `maximumBytes`.
    public let byteCount: Int

    public init(path: String, file: URL, byteCount: Int) {
        self.path = path
        self.file = file
        self.byteCount = byteCount
    }
}
