#if Persistence
    import Foundation
    import GRDB
    import PouchData
    import PouchEntities
    import PouchWire

    /// Carts and orders, and everything that belongs to an owner.
    extension SQLiteStore {
        public func cart(of owner: String) async throws(StoreError) -> Dated<Cart>? {
            let found = try await read { database in
                try Row.fetchOne(database, sql: "SELECT json, asOf FROM cart WHERE owner = ?", arguments: [owner])
                    .map { (body: $0["json"] as Data, asOf: $0["asOf"] as Double?) }
            }
            return try found.map { body, asOf throws(StoreError) in
                Dated(try decode(Cart.self, body), asOf: asOf.map(Date.init(timeIntervalSinceReferenceDate:)))
            }
        }

        public func save(_ cart: Dated<Cart>?, of owner: String) async throws(StoreError) {
            guard let cart else {
                return try await write { try $0.execute(sql: "DELETE FROM cart WHERE owner = ?", arguments: [owner]) }
            }
            let body = try encode(cart.value)
            try await write {
                try $0.execute(
                    sql: """
                        INSERT INTO cart (owner, id, version, json, asOf) VALUES (?, ?, ?, ?, ?)
                        ON CONFLICT (owner) DO UPDATE
                        SET id = excluded.id, version = excluded.version, json = excluded.json, asOf = excluded.asOf
                        WHERE excluded.id <> cart.id OR excluded.version >= cart.version
                        """,
                    arguments: [owner, cart.id, cart.version, body, cart.asOf?.timeIntervalSinceReferenceDate])
            }
        }

        public func orders(of owner: String, limit: Int?, cursor: String?) async throws(StoreError) -> Page<Order> {
            let start = try OrderPosition(cursor: cursor)
            let size = Limits.storedPageSize(limit)
            let bodies = try await read { database in
                let after: SQL =
                    start.map { "(createdAt, id) < (\($0.createdAt.timeIntervalSinceReferenceDate), \($0.id))" }
                    ?? "TRUE"
                let request: SQLRequest<Data> = """
                    SELECT json FROM placedOrder WHERE owner = \(owner) AND \(after)
                    ORDER BY createdAt DESC, id DESC LIMIT \(size + 1)
                    """
                return try request.fetchAll(database)
            }
            let page = try bodies.prefix(size).map { body throws(StoreError) in try decode(Order.self, body) }
            return Page(
                items: page,
                nextCursor: page.count < bodies.count ? page.last.flatMap { OrderPosition($0).cursor } : nil)
        }

        public func order(id: String, of owner: String) async throws(StoreError) -> Order? {
            let body = try await read {
                try Data.fetchOne(
                    $0, sql: "SELECT json FROM placedOrder WHERE owner = ? AND id = ?", arguments: [owner, id])
            }
            return try body.map { body throws(StoreError) in try decode(Order.self, body) }
        }

        public func save(_ orders: [Order], of owner: String) async throws(StoreError) {
            let rows = try orders.map { order throws(StoreError) in (order.id, order.createdAt, try encode(order)) }
            try await write { database in
                let statement = try database.cachedStatement(
                    sql: "INSERT OR REPLACE INTO placedOrder (owner, id, createdAt, json) VALUES (?, ?, ?, ?)")
                for (id, createdAt, body) in rows {
                    try statement.execute(arguments: [owner, id, createdAt.timeIntervalSinceReferenceDate, body])
                }
            }
        }

        // MARK: Owners

        private static let ownerTables = ["cart", "placedOrder", "pendingWrite"]

        public func removeEverything(of owner: String) async throws(StoreError) {
            try await write { database in
                for table in Self.ownerTables {
                    try database.execute(sql: "DELETE FROM \(table) WHERE owner = ?", arguments: [owner])
                }
            }
            await truncateLog()
        }

        public func handOver(
            _ kinds: Set<PendingWrite.Kind>, from old: String, to new: String
        ) async throws(StoreError) {
            guard old != new else { return }
            try await writeDurably { database in
                try database.execute(
                    literal: """
                        UPDATE pendingWrite SET owner = \(new)
                        WHERE owner = \(old) AND kind IN \(Self.names(kinds)) AND firstSentAt IS NULL;
                        UPDATE pendingWrite SET owner = \(new), body = NULL
                        WHERE owner = \(old) AND kind IN \(Self.names(PendingWrite.Kind.purchases))
                            AND firstSentAt IS NOT NULL;
                        """)
                for table in Self.ownerTables {
                    try database.execute(sql: "DELETE FROM \(table) WHERE owner = ?", arguments: [old])
                }
            }
            await truncateLog()
        }
    }
#endif
