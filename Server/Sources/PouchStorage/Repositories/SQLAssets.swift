import Foundation
import PouchDomain

struct SQLAssets: AssetRepository {
    let connection: any SQLConnection

    func head(path: String) throws -> AssetHead? {
        try connection.row(
            "SELECT media_type, digest, LENGTH(bytes) FROM assets WHERE path = ?", [.text(path)]
        ).map { AssetHead(mediaType: try $0.text(0), digest: try $0.data(1), byteCount: try $0.int(2)) }
    }

    func bytes(path: String, in range: Range<Int>) throws -> Data {
        // SQLite takes a part of nothing for NULL.
        guard !range.isEmpty else { return Data() }
        return try connection.row(
            "SELECT SUBSTR(bytes, ?, ?) FROM assets WHERE path = ?",
            [.integer(range.lowerBound + 1), .integer(range.count), .text(path)]
        )?.data(0) ?? Data()
    }

    func put(_ asset: StoredAsset) throws {
        try connection.run(
            """
            INSERT INTO assets (path, media_type, digest, bytes) VALUES (?, ?, ?, ?)
            ON CONFLICT (path) DO UPDATE
            SET media_type = excluded.media_type, digest = excluded.digest, bytes = excluded.bytes
            WHERE assets.digest <> excluded.digest
            """, [.text(asset.path), .text(asset.mediaType), .blob(asset.digest), .blob(asset.bytes)])
    }
}
