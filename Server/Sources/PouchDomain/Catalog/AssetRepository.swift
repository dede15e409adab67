import Foundation

/// A file that belongs to the catalogue.
public struct StoredAsset: Sendable, Equatable {
    /// Below `/assets/`, not percent-encoded.
    public let path: String
    public let mediaType: String
    public let bytes: Data

    public init(path: String, mediaType: String, bytes: Data) {
        self.path = path
        self.mediaType = mediaType
        self.bytes = bytes
    }
}

public protocol AssetRepository {
    func asset(path: String) throws -> StoredAsset?
}
