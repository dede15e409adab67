import PouchDomain

struct SQLSigningKeys: SigningKeyRepository {
    let connection: any SQLConnection

    func keys() throws -> [SigningKey] {
        try connection.rows("SELECT id, secret, created_at FROM signing_keys ORDER BY created_at DESC, id", [])
            .map { SigningKey(id: try $0.text(0), secret: try $0.data(1), createdAt: try $0.date(2)) }
    }

    func insert(_ key: SigningKey) throws {
        try connection.run(
            "INSERT INTO signing_keys (id, secret, created_at) VALUES (?, ?, ?)",
            [.text(key.id), .blob(key.secret), .time(key.createdAt)])
    }
}
