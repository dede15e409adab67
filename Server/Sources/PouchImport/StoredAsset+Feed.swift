import Foundation
import PouchDomain
import PouchFeed

extension StoredAsset {
    /// Reads the file.
    init(_ asset: FeedAsset, digests: any Digests) throws {
        let bytes = try Data(contentsOf: asset.file, options: .mappedIfSafe)
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
