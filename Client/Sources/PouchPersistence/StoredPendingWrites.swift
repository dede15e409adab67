#if Persistence
    import Foundation
    import GRDB
    import PouchData

    /// Pending writes. Those that must not be lost are written durably.
    extension SQLiteStore {
        public func add(_ write: PendingWrite) async throws(StoreError) {
            try await writeDurably { try Self.insert(write, $0) }
        }

        public func beginAttempt(
            of write: PendingWrite, at moment: Date, sentAfter oldest: Date?
        ) async throws(StoreError) -> PendingWrite {
            try await writeDurably { database in
                var stored = try Self.write(write.key, of: write.owner, database)
                if stored == nil, let oldest {
                    stored = try Self.writes(
                        """
                        owner = \(write.owner) AND kind = \(write.kind.rawValue) AND target IS \(write.target)
                        AND body IS \(write.body) AND subject IS \(write.subject)
                        AND (firstSentAt IS NULL OR firstSentAt > \(oldest.timeIntervalSinceReferenceDate))
                        """, database
                    ).last
                }
                if let stored, !stored.isSameRequest(as: write) { return stored }
                return try Self.put((stored ?? write).attempted(at: moment), database)
            }
        }

        public func beginAttempt(
            key: String, of owner: String, at moment: Date
        ) async throws(StoreError) -> PendingWrite? {
            try await writeDurably { database in
                try Self.write(key, of: owner, database).map { try Self.put($0.attempted(at: moment), database) }
            }
        }

        public func withdrawAttempt(key: String, of owner: String, keepsUnsent: Bool) async throws(StoreError) -> Int? {
            let left: PendingWrite? = try await writeDurably { database in
                guard let left = try Self.write(key, of: owner, database)?.withoutAttempt() else { return nil }
                if left.attempts > 0 || keepsUnsent {
                    try Self.put(left, database)
                } else {
                    try Self.delete(key, of: owner, database)
                }
                return left
            }
            if let left, left.attempts == 0, PendingWrite.Kind.purchases.contains(left.kind) { await truncateLog() }
            return left?.attempts
        }

        public func removeWrite(key: String, of owner: String) async throws(StoreError) {
            let kind = try await write { database in
                let kind = try String.fetchOne(
                    database, sql: "DELETE FROM pendingWrite WHERE owner = ? AND key = ? RETURNING kind",
                    arguments: [owner, key])
                return kind.map(PendingWrite.Kind.init)
            }
            if let kind, PendingWrite.Kind.purchases.contains(kind) { await truncateLog() }
        }

        public func replaceWrites(
            keys: Set<String>, of owner: String, with write: PendingWrite?
        ) async throws(StoreError) -> Bool {
            try await writeDurably { database in
                let found = try Self.writes("owner = \(owner) AND key IN \(Array(keys))", database)
                guard found.count == keys.count else { return false }
                for key in keys { try Self.delete(key, of: owner, database) }
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
                        DELETE FROM pendingWrite
                        WHERE firstSentAt < \(moment) AND kind NOT IN \(Self.names(PendingWrite.Kind.noticed));
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
                    (owner, key, kind, target, body, subject, createdAt, firstSentAt, attempts)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    write.owner, write.key, write.kind.rawValue, write.target, write.body, write.subject,
                    write.createdAt.timeIntervalSinceReferenceDate, write.firstSentAt?.timeIntervalSinceReferenceDate,
                    write.attempts,
                ])
        }

        /// Adds a write, or replaces the attempts of the one with its key.
        @discardableResult
        private static func put(_ write: PendingWrite, _ database: Database) throws -> PendingWrite {
            try insert(write, database)
            try database.execute(
                sql: "UPDATE pendingWrite SET firstSentAt = ?, attempts = ? WHERE owner = ? AND key = ?",
                arguments: [write.firstSentAt?.timeIntervalSinceReferenceDate, write.attempts, write.owner, write.key])
            return write
        }

        private static func delete(_ key: String, of owner: String, _ database: Database) throws {
            try database.execute(
                sql: "DELETE FROM pendingWrite WHERE owner = ? AND key = ?", arguments: [owner, key])
        }

        private static func write(_ key: String, of owner: String, _ database: Database) throws -> PendingWrite? {
            try writes("owner = \(owner) AND key = \(key)", database).first
        }

        /// The writes in the order in which they were added. A write of a kind that only a later version knows is
        /// skipped and kept.
        private static func writes(_ condition: SQL, _ database: Database) throws -> [PendingWrite] {
            let request: SQLRequest<Row> = "SELECT * FROM pendingWrite WHERE \(condition) ORDER BY number"
            return try request.fetchAll(database).map { row in
                PendingWrite(
                    key: row["key"], owner: row["owner"], kind: .init(rawValue: row["kind"]), target: row["target"],
                    body: row["body"], subject: row["subject"],
                    createdAt: Date(timeIntervalSinceReferenceDate: row["createdAt"]),
                    firstSentAt: (row["firstSentAt"] as Double?).map(Date.init(timeIntervalSinceReferenceDate:)),
                    attempts: row["attempts"])
            }
        }
    }
#endif
