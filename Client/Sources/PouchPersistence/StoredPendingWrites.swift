#if Persistence
    import Foundation
    import GRDB
    import PouchData

    /// Pending writes. Those that must not be lost are written durably.
    extension SQLiteStore {
        public func add(_ write: PendingWrite) async throws(StoreError) {
            try await writeDurably { try Self.insert(write, $0) }
        }

        public func addUnlessRepeated(
            _ write: PendingWrite, sentAfter moment: Date
        ) async throws(StoreError) -> PendingWrite? {
            try await writeDurably { database in
                let earlier = try Self.writes(
                    """
                    owner = \(write.owner) AND kind = \(write.kind.rawValue) AND target IS \(write.target)
                    AND body IS \(write.body) AND subject IS \(write.subject)
                    AND (firstSentAt IS NULL OR firstSentAt > \(moment.timeIntervalSinceReferenceDate))
                    """, database
                ).last
                if earlier == nil { try Self.insert(write, database) }
                return earlier
            }
        }

        public func markSent(key: String, of owner: String, at moment: Date) async throws(StoreError) -> Bool {
            try await writeDurably {
                try $0.execute(
                    sql: "UPDATE pendingWrite SET firstSentAt = IFNULL(firstSentAt, ?) WHERE owner = ? AND key = ?",
                    arguments: [moment.timeIntervalSinceReferenceDate, owner, key])
                return $0.changesCount > 0
            }
        }

        public func markNeverSent(key: String, of owner: String) async throws(StoreError) {
            try await writeDurably {
                try $0.execute(
                    sql: "UPDATE pendingWrite SET firstSentAt = NULL WHERE owner = ? AND key = ?",
                    arguments: [owner, key])
            }
        }

        public func removeWrite(key: String, of owner: String) async throws(StoreError) {
            let kind = try await write { database in
                let kind = try String.fetchOne(
                    database, sql: "DELETE FROM pendingWrite WHERE owner = ? AND key = ? RETURNING kind",
                    arguments: [owner, key])
                return kind.flatMap(PendingWrite.Kind.init)
            }
            if let kind, PendingWrite.Kind.purchases.contains(kind) { await truncateLog() }
        }

        public func replaceWrites(
            keys: Set<String>, of owner: String, with write: PendingWrite?
        ) async throws(StoreError) -> Bool {
            try await writeDurably { database in
                let found = try Self.writes("owner = \(owner) AND key IN \(Array(keys))", database)
                guard found.count == keys.count else { return false }
                for key in keys {
                    try database.execute(
                        sql: "DELETE FROM pendingWrite WHERE owner = ? AND key = ?", arguments: [owner, key])
                }
                if let write { try Self.insert(write, database) }
                return true
            }
        }

        public func expire(sentBefore moment: Date) async throws(StoreError) {
            let moment = moment.timeIntervalSinceReferenceDate
            try await write { database in
                try database.execute(
                    literal: """
                        UPDATE pendingWrite SET body = NULL
                        WHERE firstSentAt < \(moment) AND kind IN \(Self.names(PendingWrite.Kind.purchases)) AND body IS NOT NULL;
                        DELETE FROM pendingWrite WHERE firstSentAt < \(moment) AND kind IN \(Self.names(PendingWrite.Kind.others));
                        """)
            }
        }

        public func pendingWrites(of owner: String) async throws(StoreError) -> [PendingWrite] {
            try await read { try Self.writes("owner = \(owner)", $0) }
        }

        static func names(_ kinds: Set<PendingWrite.Kind>) -> [String] { kinds.map(\.rawValue) }

        private static func insert(_ write: PendingWrite, _ database: Database) throws {
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO pendingWrite
                    (owner, key, kind, target, body, subject, createdAt, firstSentAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    write.owner, write.key, write.kind.rawValue, write.target, write.body, write.subject,
                    write.createdAt.timeIntervalSinceReferenceDate, write.firstSentAt?.timeIntervalSinceReferenceDate,
                ])
        }

        /// In the order in which they were added. A write of a kind that only a later version knows is skipped, and
        /// stays.
        private static func writes(_ condition: SQL, _ database: Database) throws -> [PendingWrite] {
            let request: SQLRequest<Row> = "SELECT * FROM pendingWrite WHERE \(condition) ORDER BY number"
            return try request.fetchAll(database).compactMap { row in
                PendingWrite.Kind(rawValue: row["kind"]).map { kind in
                    PendingWrite(
                        key: row["key"], owner: row["owner"], kind: kind, target: row["target"], body: row["body"],
                        subject: row["subject"],
                        createdAt: Date(timeIntervalSinceReferenceDate: row["createdAt"]),
                        firstSentAt: (row["firstSentAt"] as Double?).map(Date.init(timeIntervalSinceReferenceDate:)))
                }
            }
        }
    }
#endif
