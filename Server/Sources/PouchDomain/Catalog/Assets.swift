import Foundation

/// A file of the catalogue.
public struct StoredAsset: Sendable, Equatable {
    /// Below `/assets/`, not percent-encoded.
    public let path: String
    public let mediaType: String
    /// SHA-256 of the bytes.
    public let digest: Data
    public let bytes: Data

    public init(path: String, mediaType: String, digest: Data, bytes: Data) {
        self.path = path
        self.mediaType = mediaType
        self.digest = digest
        self.bytes = bytes
    }
}

/// The properties of a file, read without its bytes.
public struct AssetHead: Sendable, Equatable {
    public let mediaType: String
    /// SHA-256 of the bytes.
    public let digest: Data
    public let byteCount: Int

    public init(mediaType: String, digest: Data, byteCount: Int) {
        self.mediaType = mediaType
        self.digest = digest
        self.byteCount = byteCount
    }
}

public protocol AssetRepository {
    func head(path: String) throws -> AssetHead?
    /// Reads only the range, which must lie within the file.
    func bytes(path: String, in range: Range<Int>) throws -> Data
    /// Stores the file; replaces one with the same path.
    func put(_ asset: StoredAsset) throws
}
