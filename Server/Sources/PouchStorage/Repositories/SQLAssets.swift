import PouchDomain

struct SQLAssets: AssetRepository {
    let connection: any SQLConnection

    func asset(path: String) throws -> StoredAsset? {
        try connection.row("SELECT media_type, bytes FROM assets WHERE path = ?", [.text(path)])
            .map { StoredAsset(path: path, mediaType: try $0.text(0), bytes: try $0.data(1)) }
    }
}
